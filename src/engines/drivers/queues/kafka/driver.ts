import { hasAnswer, toKafkaError } from '../../../brokers/kafka/errors.ts'
import { SourceError } from '../../errors.ts'
import type { Discovered, Driver } from '../../index.ts'
import { connectBroker, fromBroker } from '../brokers.ts'
import { messageStream } from '../messages.ts'
import { queuePlaces } from '../settings.ts'
import { type ListRequest, QueueSource } from '../source.ts'
import { type KafkaSettings, kafkaSchema, kafkaSettings } from './config.ts'
import { connectKafka, type KafkaConnection } from './connection.ts'
import { readTopic } from './reading.ts'

export const kafkaDriver: Driver = {
  schemaFor: kafkaSchema,
  placesOf(config, source) {
    const settings = kafkaSettings(config, source)
    const { password = {} } = queuePlaces(settings)
    // With one mechanism the password itself is sent, with the others only a proof of it.
    return { password: { ...password, mechanism: [settings.sasl] } }
  },
  async open(config, source, { outbound }) {
    const settings = kafkaSettings(config, source)
    return new QueueSource<KafkaConnection>({
      settings,
      outbound,
      connect: () => connectBroker(settings, outbound, () => connectKafka(settings, outbound)),
      close: (connection) => connection.close(),
      list,
      read: readTopic,
      toSourceError: (error) => toSourceError(error, settings)
    })
  }
}

async function list({ admin }: KafkaConnection, { limit }: ListRequest): Promise<Discovered> {
  const topics = await admin.listTopics()
  return {
    streams: topics.slice(0, limit).map((name) => messageStream(name, true)),
    isWhole: topics.length <= limit
  }
}

function toSourceError(error: unknown, settings: KafkaSettings): unknown {
  if (!(error instanceof Error) || error instanceof SourceError || error instanceof TypeError) return error
  if (hasAnswer(error, 'TOPIC_AUTHORIZATION_FAILED')) return missingRight(settings)
  return fromBroker(toKafkaError(error, `${settings.host}:${settings.port}`))
}

function missingRight({ host, port, user = 'ANONYMOUS' }: KafkaSettings): SourceError {
  const principal = `'User:${user.replaceAll("'", `'\\''`)}'`
  const grant = `kafka-acls.sh --bootstrap-server ${host}:${port} --add --allow-principal ${principal} --operation Read --operation Describe --topic '*'`
  const message = `${user} may not read this topic; an administrator can run: ${grant}`
  return new SourceError('missing_permission', message, '/user', [grant])
}
