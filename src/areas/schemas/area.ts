import type { Area } from '../../area.ts'
import { schemasMigrations } from './migrations.ts'

export const schemas: Area = {
  name: 'schemas',
  about: 'Schemas of data in Avro, JSON Schema and Protobuf, their versions, and which of them get on with each other.',
  // The second is where clients of Confluent's registry are pointed at.
  paths: ['/api/schemas', '/schema-registry'],
  migrations: schemasMigrations,
  load: async () => (await import('./body.ts')).schemasBody
}
