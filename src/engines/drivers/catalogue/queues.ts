import type { SourceFacts } from './facts.ts'

export const QUEUES: readonly SourceFacts[] = [
  {
    id: 'redis',
    name: 'Redis',
    category: 'queues',
    hint: 'Its keys are one stream, and each Redis Stream is one. Of a cluster, each node is a connector of its own.',
    documentationUrl: 'https://redis.io/docs/latest/',
    driver: 'redis',
    defaults: {},
    isProven: true
  },
  {
    id: 'valkey',
    name: 'Valkey',
    category: 'queues',
    hint: 'Its keys are one stream, and each stream among them is one. Of a cluster, each node is a connector of its own.',
    documentationUrl: 'https://valkey.io/docs/',
    driver: 'redis',
    defaults: {},
    isProven: false
  },
  {
    id: 'nats',
    name: 'NATS',
    category: 'queues',
    hint: 'The streams of JetStream are read. Without JetStream nothing is kept that could be.',
    documentationUrl: 'https://docs.nats.io/',
    driver: 'nats',
    defaults: {},
    isProven: true
  },
  {
    id: 'mqtt',
    name: 'MQTT',
    category: 'queues',
    hint: 'What topics have retained is read, and what arrives within a few seconds: a broker keeps nothing else. MQTT 5.',
    documentationUrl: 'https://mqtt.org/mqtt-specification/',
    driver: 'mqtt',
    defaults: {},
    isProven: true,
    isIncremental: false
  },
  {
    id: 'rabbitmq',
    name: 'RabbitMQ',
    category: 'queues',
    hint: 'Queues of the type stream are read, from version 3.10 on. Others are only listed: reading would take messages from their consumers.',
    documentationUrl: 'https://www.rabbitmq.com/docs/streams',
    driver: 'rabbitmq',
    defaults: { user: 'guest' },
    isProven: true
  },
  {
    id: 'kafka',
    name: 'Apache Kafka',
    category: 'queues',
    hint: 'Any broker of the cluster will do; the others that it names have to be reachable and permitted, too.',
    documentationUrl: 'https://kafka.apache.org/documentation/',
    driver: 'kafka',
    defaults: {},
    isProven: false
  },
  {
    id: 'redpanda',
    name: 'Redpanda',
    category: 'queues',
    hint: 'This is its Kafka interface. Any broker will do; the others that it names have to be reachable, too.',
    documentationUrl: 'https://docs.redpanda.com/',
    driver: 'kafka',
    defaults: {},
    isProven: false
  }
]
