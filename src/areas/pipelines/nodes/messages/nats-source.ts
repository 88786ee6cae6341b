import { OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sourceType } from '../../contract/node-type.ts'
import { formatFaults, messageSourceFields } from './config.ts'
import { BrokerConnection, brokerSecrets, Topics, topicData } from './connection.ts'

const NatsSourceConfig = Config({
  connection: BrokerConnection,
  topics: Topics('Subjects to subscribe to, with `*` for one token and `>` for all that follow'),
  stream: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\s.*>/\\\\]+$',
      description: 'The JetStream stream to read; without it, messages that are sent while nobody listens are lost'
    })
  ),
  from: Type.Optional(
    OneOf(['earliest', 'latest'], 'Where a stream that was never read is begun; `latest` unless said')
  ),
  ...messageSourceFields
})

export const natsSource = sourceType<ConfigOf<typeof NatsSourceConfig>>({
  type: 'nats',
  about: 'Receives messages of NATS, or reads a JetStream stream.',
  config: NatsSourceConfig,
  secrets: brokerSecrets('nats'),
  references: ({ connection, topics }) => topics.map((topic) => topicData('nats', connection, topic)),
  isBounded: () => false,
  check: (config) => [
    ...formatFaults(config),
    ...(config.from !== undefined && config.stream === undefined
      ? [{ pointer: '/from', message: 'can only be given with a stream' }]
      : [])
  ],
  open: async (context) => (await import('./source.ts')).openMessages('nats', context)
})
