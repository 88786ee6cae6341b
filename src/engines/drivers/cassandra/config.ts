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

export interface CassandraSettings {
  readonly host: string
  readonly port: number
  readonly keyspace: string
  readonly user: string
  readonly password: string
  readonly tls: boolean
  readonly ca: string
}

const DEFAULT_PORT = 9042

export function settingsOf(config: SourceConfig, { defaults }: SourceFacts): CassandraSettings {
  const unsaid = { host: '', port: DEFAULT_PORT, keyspace: '', user: '', password: '', tls: false, ca: '' }
  return { ...unsaid, ...defaults, ...config }
}

export function placesOf(config: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca } = settingsOf(config, source)
  return { password: { 'host and port': [endpointText(host, port)], user: [user], tls: [String(tls)], ca: [ca] } }
}

export function cassandraSchema(source: SourceFacts): JsonSchema {
  const { host = 'cassandra.plant.example', port = DEFAULT_PORT, tls = false } = source.defaults
  return schemaOf(source, ['host', 'keyspace'], {
    host: hostField(host),
    port: portField(port, 'Port of one member of the cluster; no other one is called'),
    keyspace: placeField({ title: 'Keyspace', description: 'The keyspace whose tables are read', examples: ['plant'] }),
    user: userField(),
    password: passwordField(),
    tls: tlsField(tls),
    ca: authorityField()
  })
}
