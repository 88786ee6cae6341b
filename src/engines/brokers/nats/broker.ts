import { createBroker } from '../create-broker.ts'
import { defaultPort, parseEndpoints } from '../endpoint.ts'
import { BrokerError } from '../errors.ts'
import { firstAnswering } from '../first-answering.ts'
import { inWindow } from '../in-window.ts'
import type { Broker, BrokerNeeds, BrokerSettings, OutgoingMessage, PublishOptions } from '../index.ts'
import { connectNats, type NatsLink } from './connection.ts'
import { CoreConsumer } from './core-consumer.ts'
import { toNatsError } from './errors.ts'
import { StreamConsumer } from './stream-consumer.ts'

const MAX_UNDER_WAY = 1000
const ACK_LIMIT_MS = 5000

export function openNats(settings: BrokerSettings, { outbound }: BrokerNeeds): Broker {
  const endpoints = parseEndpoints(settings.hosts, defaultPort('nats', settings.tls ?? false))
  const connect = () => firstAnswering(endpoints, (endpoint) => connectNats(endpoint, settings, outbound))
  return createBroker({
    kind: 'nats',
    endpoints,
    topicFault,
    connect,
    check: ({ client }) => client.flush(),
    send,
    async consume(options) {
      const { stream } = options
      const consumer =
        stream === undefined ? new CoreConsumer(connect, options) : new StreamConsumer(connect, { ...options, stream })
      await consumer.opened()
      return consumer
    }
  })
}

async function send(link: NatsLink, messages: readonly OutgoingMessage[], { stream }: PublishOptions): Promise<void> {
  const { client, lifetime, where } = link
  const maxBytes = client.info?.max_payload ?? Number.POSITIVE_INFINITY
  for (const { payload } of messages) {
    const bytes = Buffer.byteLength(payload)
    if (bytes > maxBytes) {
      throw new BrokerError('too_large', `A message of ${bytes} bytes is too large for ${where}: it takes ${maxBytes}`)
    }
  }
  try {
    await lifetime.during(stream === undefined ? publish(link, messages) : store(link, messages, stream))
  } catch (error) {
    throw toNatsError(error, where)
  }
}

async function publish({ client }: NatsLink, messages: readonly OutgoingMessage[]): Promise<void> {
  for (const { topic, payload } of messages) client.publish(topic, payload)
  await client.flush()
}

async function store({ client }: NatsLink, messages: readonly OutgoingMessage[], streamName: string): Promise<void> {
  const { jetstream } = await import('@nats-io/jetstream')
  const js = jetstream(client)
  await inWindow(messages, MAX_UNDER_WAY, async ({ topic, payload }) => {
    await js.publish(topic, payload, { expect: { streamName }, timeout: ACK_LIMIT_MS, retries: 0 })
  })
}

/** Refuses characters that the protocol would read as the end of the subject, or as a wildcard. */
function topicFault(topic: string): string | undefined {
  if (topic === '' || /[\s\0]/.test(topic)) return 'it must not be empty or have spaces in it'
  return /(^|\.)([*>]|)(\.|$)/.test(topic) ? 'its parts must not be empty, * or >' : undefined
}
