import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import {
  authorityField,
  hostField,
  passwordField,
  portField,
  schemaOf,
  secretField,
  tlsField,
  userField
} from '../common/fields.ts'
import type { SourceConfig } from '../index.ts'
import type { JsonSchema } from '../schema.ts'

/** Where an index of documents is searched. */
export interface SearchSettings {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  readonly ca?: string | undefined
  readonly user: string
  readonly password: string
  readonly apiKey: string
}

export function settingsOf(given: SourceConfig, { defaults }: SourceFacts): SearchSettings {
  const config = given as Partial<SearchSettings>
  return {
    host: config.host ?? '',
    port: config.port ?? defaults.port ?? 9200,
    tls: config.tls ?? defaults.tls ?? true,
    user: config.user ?? '',
    password: config.password ?? '',
    apiKey: config.apiKey ?? '',
    ca: config.ca
  }
}

export function placesOf(config: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca = '' } = settingsOf(config, source)
  const place = { 'host and port': [endpointText(host, port)], tls: [String(tls)], ca: [ca] }
  return { password: { ...place, user: [user] }, apiKey: place }
}

export function searchSchema(source: SourceFacts): JsonSchema {
  const { defaults } = source
  return schemaOf(source, ['host'], {
    host: hostField(defaults.host ?? 'search.plant.example'),
    port: portField(defaults.port ?? 9200, 'Port of its HTTP interface; 443 or 9243 in most clouds'),
    user: userField(),
    password: passwordField(),
    apiKey: secretField({
      title: 'API key',
      description:
        'In place of user and password: the encoded form of an API key, as Elasticsearch shows it when one is made'
    }),
    tls: tlsField(defaults.tls ?? true),
    ca: authorityField()
  })
}

/** An API key goes before a user; without either nothing is sent. */
export function headersOf({ user, password, apiKey }: SearchSettings): Record<string, string> {
  if (apiKey !== '') return { authorization: `ApiKey ${apiKey}` }
  if (user === '') return {}
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}
