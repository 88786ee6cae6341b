import { OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sourceType } from '../../contract/node-type.ts'
import { formatFaults, messageSourceFields } from './config.ts'
import { brokerSecrets, KafkaConnection, Topics, topicData } from './connection.ts'

const KafkaSourceConfig = Config({
  connection: KafkaConnection,
  topics: Topics('Names of the topics to read'),
  from: Type.Optional(
    OneOf(['earliest', 'latest'], 'Where a topic that was never read is begun; `latest` unless said')
  ),
  ...messageSourceFields
})

export const kafkaSource = sourceType<ConfigOf<typeof KafkaSourceConfig>>({
  type: 'kafka',
  about: 'Reads topics of Kafka.',
  config: KafkaSourceConfig,
  secrets: brokerSecrets('kafka'),
  references: ({ connection, topics }) => topics.map((topic) => topicData('kafka', connection, topic)),
  isBounded: () => false,
  check: formatFaults,
  open: async (context) => (await import('./source.ts')).openMessages('kafka', context)
})
