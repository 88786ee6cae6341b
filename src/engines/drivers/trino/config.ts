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

export interface TrinoSettings {
  readonly host: string
  readonly port: number
  readonly catalog: string
  readonly user: string
  readonly password: string
  readonly tls: boolean
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  readonly ca?: string | undefined
}

export function settingsOf(given: SourceConfig, { defaults }: SourceFacts): TrinoSettings {
  const config = given as Partial<TrinoSettings>
  const tls = config.tls ?? defaults.tls ?? true
  const port = config.port ?? defaults.port ?? (tls ? 443 : 8080)
  return { host: '', catalog: '', user: '', password: '', ...config, tls, port }
}

export function placesOf(config: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca = '' } = settingsOf(config, source)
  return { password: { 'host and port': [endpointText(host, port)], user: [user], tls: [String(tls)], ca: [ca] } }
}

export function trinoSchema(source: SourceFacts): JsonSchema {
  const { host = 'trino.plant.example', port = 443, tls = true } = source.defaults
  return schemaOf(source, ['host', 'catalog', 'user'], {
    host: hostField(host),
    port: portField(port, 'Port of the coordinator: mostly 443 or 8443 with encryption, 8080 without'),
    catalog: placeField({ title: 'Catalog', description: 'The catalog whose tables are read', examples: ['hive'] }),
    user: userField(),
    password: passwordField(),
    tls: tlsField(tls),
    ca: authorityField()
  })
}

/** A password goes with encryption only, as the server itself demands. */
export function headersOf({ user, password, catalog, tls }: TrinoSettings): Record<string, string> {
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  return {
    'x-trino-user': user,
    'x-trino-catalog': catalog,
    'x-trino-source': 'millrace',
    'x-trino-time-zone': 'UTC',
    ...(password !== '' && tls && { authorization: `Basic ${basic}` })
  }
}
