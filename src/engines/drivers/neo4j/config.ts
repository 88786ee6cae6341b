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

export interface Neo4jSettings {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly tls: boolean
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  readonly ca?: string | undefined
}

export function settingsOf(given: SourceConfig, { defaults }: SourceFacts): Neo4jSettings {
  const config = given as Partial<Neo4jSettings>
  const tls = config.tls ?? defaults.tls ?? false
  const port = config.port ?? defaults.port ?? (tls ? 7473 : 7474)
  return { host: '', database: 'neo4j', user: 'neo4j', password: '', ...config, tls, port }
}

export function placesOf(config: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca = '' } = settingsOf(config, source)
  return { password: { 'host and port': [endpointText(host, port)], user: [user], tls: [String(tls)], ca: [ca] } }
}

export function neo4jSchema(source: SourceFacts): JsonSchema {
  const { host = 'neo4j.plant.example', port = 7474, tls = false } = source.defaults
  return schemaOf(source, ['host'], {
    host: hostField(host),
    port: portField(port, 'Port of its HTTP interface, not of Bolt: 7474, or 7473 with encryption, 443 in Aura'),
    database: placeField({ title: 'Database', description: 'Name of the database to read from', default: 'neo4j' }),
    user: userField({ default: 'neo4j' }),
    password: passwordField(),
    tls: tlsField(tls),
    ca: authorityField()
  })
}
