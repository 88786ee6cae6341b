import type { SourceFacts } from '../../catalogue/facts.ts'
import type { SourceConfig } from '../../index.ts'
import type { JsonSchema } from '../../schema.ts'
import { field, type QueueSettings, queueSchema, queueSettings, type UsualPorts } from '../settings.ts'

export interface RedisSettings extends QueueSettings {
  readonly database: number
  /** The keys that are read, as `SCAN … MATCH` takes it. */
  readonly pattern: string
}

const PORTS: UsualPorts = { plain: 6379, tls: 6379 }
const ALL = '*'

export function redisSettings(config: SourceConfig, source: SourceFacts): RedisSettings {
  const { database = 0, pattern } = config as Partial<RedisSettings>
  return { ...queueSettings(config, source, PORTS), database, pattern: pattern || ALL }
}

export function redisSchema(source: SourceFacts): JsonSchema {
  return queueSchema(source, PORTS, {
    database: field('place', 'Database', 'Number of the database to read from', {
      type: 'integer',
      default: 0,
      minimum: 0,
      maximum: 1_000_000
    }),
    pattern: field('reading', 'Keys', 'Which keys are read and looked through for streams, such as `sensors:*`', {
      type: 'string',
      default: ALL,
      examples: ['sensors:*'],
      maxLength: 1000
    })
  })
}
