import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sourceType } from '../../contract/node-type.ts'
import { formatFaults, messageSourceFields } from './config.ts'
import { BrokerConnection, brokerSecrets, Topics, topicData } from './connection.ts'

const MqttSourceConfig = Config({
  connection: BrokerConnection,
  topics: Topics('Topics to subscribe to, with `+` for one level and `#` for all below'),
  qos: Type.Optional(
    Type.Unsafe<0 | 1>({
      type: 'integer',
      enum: [0, 1],
      description:
        '1 unless said: the broker keeps messages until they are committed; 0 is faster, and they may be lost'
    })
  ),
  ...messageSourceFields
})

export const mqttSource = sourceType<ConfigOf<typeof MqttSourceConfig>>({
  type: 'mqtt',
  about: 'Receives messages of an MQTT broker.',
  config: MqttSourceConfig,
  secrets: brokerSecrets('mqtt'),
  references: ({ connection, topics }) => topics.map((topic) => topicData('mqtt', connection, topic)),
  isBounded: () => false,
  check: formatFaults,
  open: async (context) => (await import('./source.ts')).openMessages('mqtt', context)
})
