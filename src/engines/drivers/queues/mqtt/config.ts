import type { SourceFacts } from '../../catalogue/facts.ts'
import type { SourceConfig } from '../../index.ts'
import type { JsonSchema } from '../../schema.ts'
import { field, type QueueSettings, queueSchema, queueSettings, type UsualPorts } from '../settings.ts'

export interface MqttSettings extends QueueSettings {
  /** Filters of topics, each of which is a stream. */
  readonly topics: readonly string[]
  /** How long to listen. */
  readonly listenMs: number
}

const PORTS: UsualPorts = { plain: 1883, tls: 8883 }
const EVERYTHING = '#'
const USUAL_SECONDS = 2

export function mqttSettings(config: SourceConfig, source: SourceFacts): MqttSettings {
  const { topics = [], seconds = USUAL_SECONDS } = config as { topics?: readonly string[]; seconds?: number }
  return {
    ...queueSettings(config, source, PORTS),
    topics: topics.length === 0 ? [EVERYTHING] : topics,
    listenMs: seconds * 1000
  }
}

export function mqttSchema(source: SourceFacts): JsonSchema {
  return queueSchema(source, PORTS, {
    topics: field('reading', 'Topics', 'Filters of topics, such as `plant/+/temperature`; everything unless given', {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 1000, examples: ['plant/#'] },
      maxItems: 100
    }),
    seconds: field('reading', 'Seconds', 'How long is listened to what arrives, and after the last retained message', {
      type: 'number',
      default: USUAL_SECONDS,
      minimum: 0.1,
      maximum: 10
    })
  })
}
