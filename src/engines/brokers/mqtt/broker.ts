import { createBroker } from '../create-broker.ts'
import { defaultPort, parseEndpoints } from '../endpoint.ts'
import { BrokerError } from '../errors.ts'
import { firstAnswering } from '../first-answering.ts'
import { inWindow } from '../in-window.ts'
import type { Broker, BrokerNeeds, BrokerSettings, OutgoingMessage } from '../index.ts'
import { connectMqtt, type MqttConnection, type SessionOptions } from './connection.ts'
import { MqttConsumer } from './consumer.ts'
import { refusal } from './reasons.ts'

const MAX_UNDER_WAY = 1000
/** The most that a packet has besides topic and payload. */
const PACKET_OVERHEAD_BYTES = 16

export function openMqtt(settings: BrokerSettings, { outbound }: BrokerNeeds): Broker {
  const endpoints = parseEndpoints(settings.hosts, defaultPort('mqtt', settings.tls ?? false))
  const connect = (session: SessionOptions) =>
    firstAnswering(endpoints, (endpoint) => connectMqtt(endpoint, settings, outbound, session))
  return createBroker({
    kind: 'mqtt',
    endpoints,
    topicFault,
    connect: () => connect(publisherSession(newClientId(settings.clientId))),
    check: async () => {},
    send,
    async consume(options) {
      const consumer = new MqttConsumer(connect, options, options.group ?? newClientId(settings.clientId))
      await consumer.opened()
      return consumer
    }
  })
}

async function send(connection: MqttConnection, messages: readonly OutgoingMessage[]): Promise<void> {
  const { client, lifetime, where } = connection
  const { maximumPacketSize = Number.POSITIVE_INFINITY, receiveMaximum = MAX_UNDER_WAY } = client.serverProperties ?? {}
  for (const { topic, payload } of messages) {
    const bytes = Buffer.byteLength(topic) + Buffer.byteLength(payload) + PACKET_OVERHEAD_BYTES
    if (bytes > maximumPacketSize) {
      throw new BrokerError('too_large', `A message of ${bytes} bytes is too large for ${where}: ${maximumPacketSize}`)
    }
  }
  const publish = async ({ topic, payload }: OutgoingMessage) => {
    try {
      await client.publishAsync(topic, payload as string | Buffer, { qos: 1 })
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string }
      throw refusal(code, `A message to ${topic}`, message) ?? error
    }
  }
  await lifetime.during(inWindow(messages, Math.min(receiveMaximum, MAX_UNDER_WAY), publish))
}

function publisherSession(clientId: string): SessionOptions {
  return { clientId, clean: true, expiryS: 0, onSession: () => {}, onMessage: (_packet, done) => done() }
}

/** A unique id, because a broker disconnects an older client of the same id. */
function newClientId(beginning = 'millrace'): string {
  return `${beginning}-${crypto.randomUUID().slice(0, 13)}`
}

function topicFault(topic: string): string | undefined {
  if (topic === '' || Buffer.byteLength(topic) > 65_535) return 'it must have from 1 to 65,535 bytes'
  return /[+#\0]/.test(topic) ? 'it must not have +, # or a null character in it' : undefined
}
