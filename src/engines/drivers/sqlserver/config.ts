import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import {
  authorityField,
  hostField,
  passwordField,
  placeField,
  portField,
  schemaOf,
  tlsField,
  userField
} from '../common/fields.ts'
import type { SourceConfig } from '../index.ts'
import type { JsonSchema } from '../schema.ts'

export interface SqlServerSettings {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly tls: boolean
  readonly ca: string
}

const DEFAULT_PORT = 1433

export function settingsOf(config: SourceConfig, { defaults }: SourceFacts): SqlServerSettings {
  const unsaid = { host: '', port: DEFAULT_PORT, database: '', user: '', password: '', tls: true, ca: '' }
  return { ...unsaid, ...defaults, ...config } as SqlServerSettings
}

export function placesOf(config: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca } = settingsOf(config, source)
  return { password: { 'host and port': [endpointText(host, port)], user: [user], tls: [String(tls)], ca: [ca] } }
}

export function sqlServerSchema(source: SourceFacts): JsonSchema {
  const { host = 'mssql.plant.example', database = 'plant', tls = true } = source.defaults
  return schemaOf(source, ['host', 'database', 'user'], {
    host: hostField(host),
    port: portField(
      DEFAULT_PORT,
      'Port of the server; an instance with a name has a port of its own, which has to be given'
    ),
    database: placeField({ title: 'Database', description: 'Name of the database to read from', examples: [database] }),
    user: userField({
      description: 'A login of the server (SQL Server authentication); one that may only read is enough'
    }),
    password: passwordField(),
    tls: tlsField(tls),
    ca: authorityField()
  })
}
