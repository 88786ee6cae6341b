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

export interface OracleSettings {
  readonly host: string
  readonly port: number
  readonly service: string
  readonly user: string
  readonly password: string
  readonly tls: boolean
  readonly ca: string
}

const DEFAULT_PORT = 1521

export function settingsOf(config: SourceConfig, { defaults }: SourceFacts): OracleSettings {
  const unsaid = { host: '', port: DEFAULT_PORT, service: '', user: '', password: '', tls: false, ca: '' }
  return { ...unsaid, ...defaults, ...config }
}

export function placesOf(config: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca } = settingsOf(config, source)
  return { password: { 'host and port': [endpointText(host, port)], user: [user], tls: [String(tls)], ca: [ca] } }
}

export function oracleSchema(source: SourceFacts): JsonSchema {
  const { host = 'oracle.plant.example', port = DEFAULT_PORT, tls = false } = source.defaults
  return schemaOf(source, ['host', 'service', 'user'], {
    host: hostField(host),
    port: portField(port, 'Port of the listener; one that sends connections on to others (SCAN) is refused'),
    service: placeField({
      title: 'Service',
      description: 'Name of the service of the database, mostly that of a pluggable database',
      examples: ['ORCLPDB1'],
      pattern: '^[\\w.$#-]+$'
    }),
    user: userField(),
    password: passwordField(),
    tls: tlsField(tls),
    ca: authorityField()
  })
}
