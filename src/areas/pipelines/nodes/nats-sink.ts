import { Type } from '../../../http/type.ts'
import { Config, type ConfigOf } from './config-parts.ts'
import { BrokerConnection, brokerSecrets } from './connection-broker.ts'
import { columnsOfMessages, messageSinkFields } from './messages-config.ts'
import { sinkType } from './node-type.ts'

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
  open: async (context) => (await import('./messages-sink.ts')).openMessagesSink('nats', context),
  openDry: async (context) => (await import('./messages-sink.ts')).dryMessagesSink(context)
})
