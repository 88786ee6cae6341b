import { createBroker } from '../create-broker.ts'
import { defaultPort, parseEndpoints } from '../endpoint.ts'
import type { Broker, BrokerNeeds, BrokerSettings } from '../index.ts'
import { KafkaConsumer } from './consumer.ts'
import { checkKafka, connectProducer, send } from './producer.ts'

export function openKafka(settings: BrokerSettings, { outbound }: BrokerNeeds): Broker {
  const endpoints = parseEndpoints(settings.hosts, defaultPort('kafka', settings.tls ?? false))
  const where = endpoints.map((endpoint) => endpoint.where).join(', ')
  const options = { settings, endpoints, outbound }
  return createBroker({
    kind: 'kafka',
    endpoints,
    topicFault,
    connect: () => connectProducer(options, where),
    check: () => checkKafka(options, where),
    send: (connection, messages) => send(connection, messages, where),
    async consume(consumeOptions) {
      const consumer = new KafkaConsumer(options, consumeOptions, where)
      await consumer.opened()
      return consumer
    }
  })
}

function topicFault(topic: string): string | undefined {
  return /^[a-zA-Z0-9._-]{1,249}$/.test(topic) ? undefined : 'it must be of 1 to 249 letters, digits, ., _ and -'
}
