import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sinkType } from '../../contract/node-type.ts'
import { unchanged } from '../../contract/ways.ts'
import { ANY_TOPIC, columnsOfMessages, messageSinkFields } from './config.ts'
import { brokerSecrets, KafkaConnection, topicData } from './connection.ts'

const KafkaSinkConfig = Config({
  connection: KafkaConnection,
  ...messageSinkFields('topic'),
  key: Type.Optional(ColumnName('A column whose value is the key: messages with the same one keep their order'))
})

export const kafkaSink = sinkType<ConfigOf<typeof KafkaSinkConfig>>({
  type: 'kafka',
  about: 'Publishes each record as a message of Kafka.',
  config: KafkaSinkConfig,
  secrets: brokerSecrets('kafka'),
  delivery: 'at-least-once',
  columns: columnsOfMessages,
  references: ({ connection, topic }) => [
    topicData('kafka', connection, typeof topic === 'string' ? topic : ANY_TOPIC)
  ],
  ways: (_config, inputs) => ({ columns: unchanged(inputs), rows: [] }),
  open: async (context) => (await import('./sink.ts')).openMessagesSink('kafka', context),
  openDry: async (context) => (await import('./sink.ts')).dryMessagesSink(context)
})
