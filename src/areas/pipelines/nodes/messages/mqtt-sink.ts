import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sinkType } from '../../contract/node-type.ts'
import { columnsOfMessages, messageSinkFields } from './config.ts'
import { BrokerConnection, brokerSecrets } from './connection.ts'

const MqttSinkConfig = Config({ connection: BrokerConnection, ...messageSinkFields('topic') })

export const mqttSink = sinkType<ConfigOf<typeof MqttSinkConfig>>({
  type: 'mqtt',
  about: 'Publishes each record as a message of an MQTT broker, with QoS 1.',
  config: MqttSinkConfig,
  secrets: brokerSecrets('mqtt'),
  delivery: 'at-least-once',
  columns: columnsOfMessages,
  open: async (context) => (await import('./sink.ts')).openMessagesSink('mqtt', context),
  openDry: async (context) => (await import('./sink.ts')).dryMessagesSink(context)
})
