import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sinkType } from '../../contract/node-type.ts'
import { unchanged } from '../../contract/ways.ts'
import { ANY_TOPIC, columnsOfMessages, messageSinkFields } from './config.ts'
import { BrokerConnection, brokerSecrets, topicData } from './connection.ts'

const MqttSinkConfig = Config({ connection: BrokerConnection, ...messageSinkFields('topic') })

export const mqttSink = sinkType<ConfigOf<typeof MqttSinkConfig>>({
  type: 'mqtt',
  about: 'Publishes each record as a message of an MQTT broker, with QoS 1.',
  config: MqttSinkConfig,
  secrets: brokerSecrets('mqtt'),
  delivery: 'at-least-once',
  columns: columnsOfMessages,
  references: ({ connection, topic }) => [topicData('mqtt', connection, typeof topic === 'string' ? topic : ANY_TOPIC)],
  ways: (_config, inputs) => ({ columns: unchanged(inputs), rows: [] }),
  open: async (context) => (await import('./sink.ts')).openMessagesSink('mqtt', context),
  openDry: async (context) => (await import('./sink.ts')).dryMessagesSink(context)
})
