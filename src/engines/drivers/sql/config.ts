import { endpointText, type Place } from '../../places/index.ts'
import { defaultPort, type SqlKind, type SqlSettings } from '../../sql/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { authorityField } from '../common/fields.ts'
import type { SourceConfig } from '../index.ts'
import type { FieldSchema, JsonSchema } from '../schema.ts'

/** What a database is reached by. */
interface SqlConfig {
  readonly host: string
  readonly port?: number
  readonly database: string
  readonly user?: string
  readonly password?: string
  readonly tls?: boolean
  readonly ca?: string
}

/** Only an authority may be missing: then the usual ones are trusted. */
export type OpenedSettings = Required<Omit<SqlSettings, 'ca'>> & Pick<SqlSettings, 'ca'>

/** The configuration with what is usual for its source where nothing is said. */
export function settingsOf(kind: SqlKind, given: SourceConfig, { defaults }: SourceFacts): OpenedSettings {
  const config = given as unknown as SqlConfig
  const tls = config.tls ?? defaults.tls ?? false
  return {
    kind,
    host: config.host,
    port: config.port ?? defaults.port ?? defaultPort(kind, tls),
    database: config.database,
    user: config.user ?? defaults.user ?? '',
    password: config.password ?? '',
    tls,
    ca: config.ca
  }
}

/** All databases of a server are the same place. Another authority may vouch for another server. */
export function placesOf(kind: SqlKind, config: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca = '' } = settingsOf(kind, config, source)
  return { password: { 'host and port': [endpointText(host, port)], user: [user], tls: [String(tls)], ca: [ca] } }
}

export function sqlSchema(kind: SqlKind, { name, defaults }: SourceFacts): JsonSchema {
  const { tls = false, user, database } = defaults
  const port = defaults.port ?? defaultPort(kind, tls)
  const properties: Record<string, FieldSchema> = {
    host: {
      type: 'string',
      title: 'Host',
      description: 'Name or address of the server',
      examples: [defaults.host ?? 'db.plant.example'],
      minLength: 1,
      maxLength: 253,
      pattern: '^[^\\s/@]+$',
      'x-group': 'place'
    },
    port: {
      type: 'integer',
      title: 'Port',
      description: kind === 'clickhouse' ? 'Port of its HTTP interface' : 'Port of the server',
      default: port,
      minimum: 1,
      maximum: 65_535,
      'x-group': 'place'
    },
    database: {
      type: 'string',
      title: 'Database',
      description: 'Name of the database to read from',
      examples: [database ?? 'plant'],
      minLength: 1,
      maxLength: 200,
      'x-group': 'place'
    },
    user: {
      type: 'string',
      title: 'User',
      description: 'The name to sign in with; one that may only read is enough',
      ...(user !== undefined && { default: user }),
      minLength: 1,
      maxLength: 500,
      'x-group': 'sign-in'
    },
    password: {
      type: 'string',
      title: 'Password',
      description: 'Sealed, and never shown again',
      maxLength: 10_000,
      writeOnly: true,
      'x-group': 'sign-in'
    },
    tls: {
      type: 'boolean',
      title: 'Encryption',
      description: 'Whether the connection is encrypted; the certificate has to be valid for the host',
      default: tls,
      'x-group': 'encryption'
    },
    ca: authorityField()
  }
  const required = user === undefined ? ['host', 'database', 'user'] : ['host', 'database']
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: name,
    required,
    additionalProperties: false,
    properties
  }
}
