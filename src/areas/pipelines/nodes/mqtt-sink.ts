import { Config, type ConfigOf } from './config-parts.ts'
import { BrokerConnection, brokerSecrets } from './connection-broker.ts'
import { columnsOfMessages, messageSinkFields } from './messages-config.ts'
import { sinkType } from './node-type.ts'

const MqttSinkConfig = Config({ connection: BrokerConnection, ...messageSinkFields('topic') })

export const mqttSink = sinkType<ConfigOf<typeof MqttSinkConfig>>({
  type: 'mqtt',
  about: 'Publishes each record as a message of an MQTT broker, with QoS 1.',
  config: MqttSinkConfig,
  secrets: brokerSecrets('mqtt'),
  delivery: 'at-least-once',
  columns: columnsOfMessages,
  open: async (context) => (await import('./messages-sink.ts')).openMessagesSink('mqtt', context),
  openDry: async (context) => (await import('./messages-sink.ts')).dryMessagesSink(context)
})
