import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { hostField, placeField, schemaOf, secretField } from '../common/fields.ts'
import type { SourceConfig } from '../index.ts'
import type { JsonSchema } from '../schema.ts'

export interface SnowflakeSettings {
  readonly host: string
  readonly database: string
  readonly warehouse: string
  readonly role: string
  readonly token: string
}

export function settingsOf(config: SourceConfig): SnowflakeSettings {
  return { host: '', database: '', warehouse: '', role: '', token: '', ...config }
}

/** The port where every account is, always encrypted. */
export const PORT = 443

export function placesOf(config: SourceConfig): Readonly<Record<string, Place>> {
  return { token: { 'host and port': [endpointText(settingsOf(config).host, PORT)] } }
}

export function snowflakeSchema(source: SourceFacts): JsonSchema {
  return schemaOf(source, ['host', 'database', 'warehouse', 'token'], {
    host: hostField('myorg-account123.snowflakecomputing.com'),
    database: placeField({ title: 'Database', description: 'Name of the database to read from', examples: ['PLANT'] }),
    warehouse: placeField({
      title: 'Warehouse',
      description: 'What runs the statements; it starts with the first of them, and that costs',
      examples: ['COMPUTE_WH']
    }),
    role: placeField({
      title: 'Role',
      description: 'The role to read with; that of the user unless said',
      examples: ['READER']
    }),
    token: secretField({
      title: 'Programmatic access token',
      description: 'A token of a user who may only read; Snowflake wants a network policy for such users'
    })
  })
}
