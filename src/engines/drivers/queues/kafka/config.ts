import type { BrokerSettings } from '../../../brokers/index.ts'
import type { SourceFacts } from '../../catalogue/facts.ts'
import type { SourceConfig } from '../../index.ts'
import type { JsonSchema } from '../../schema.ts'
import { field, type QueueSettings, queueSchema, queueSettings, type UsualPorts } from '../settings.ts'

type Sasl = NonNullable<BrokerSettings['sasl']>

export interface KafkaSettings extends QueueSettings {
  readonly sasl: Sasl
}

const PORTS: UsualPorts = { plain: 9092, tls: 9093 }
const MECHANISMS: readonly Sasl[] = ['plain', 'scram-sha-256', 'scram-sha-512']

export function kafkaSettings(config: SourceConfig, source: SourceFacts): KafkaSettings {
  const { sasl = 'plain' } = config as { sasl?: Sasl }
  return { ...queueSettings(config, source, PORTS), sasl }
}

export function kafkaSchema(source: SourceFacts): JsonSchema {
  return queueSchema(source, PORTS, {
    sasl: field('sign-in', 'Mechanism', 'How user and password are shown to the brokers', {
      type: 'string',
      enum: MECHANISMS,
      default: 'plain'
    })
  })
}
