import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sinkType } from '../../contract/node-type.ts'
import { unchanged } from '../../contract/ways.ts'
import { ANY_TOPIC, columnsOfMessages, messageSinkFields } from './config.ts'
import { BrokerConnection, brokerSecrets, topicData } from './connection.ts'

const NatsSinkConfig = Config({
  connection: BrokerConnection,
  ...messageSinkFields('subject'),
  stream: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\s.*>/\\\\]+$',
      description: 'The JetStream stream that has to store them; without it they reach those who listen at that moment'
    })
  )
})

export const natsSink = sinkType<ConfigOf<typeof NatsSinkConfig>>({
  type: 'nats',
  about: 'Publishes each record as a message of NATS.',
  config: NatsSinkConfig,
  secrets: brokerSecrets('nats'),
  delivery: 'at-least-once',
  columns: columnsOfMessages,
  references: ({ connection, topic }) => [topicData('nats', connection, typeof topic === 'string' ? topic : ANY_TOPIC)],
  ways: (_config, inputs) => ({ columns: unchanged(inputs), rows: [] }),
  open: async (context) => (await import('./sink.ts')).openMessagesSink('nats', context),
  openDry: async (context) => (await import('./sink.ts')).dryMessagesSink(context)
})
