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

export interface MongoSettings {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly authSource: string
  readonly tls: boolean
  readonly ca: string
}

export function settingsOf(given: SourceConfig, { defaults }: SourceFacts): MongoSettings {
  const unsaid = { host: '', database: '', user: '', password: '', authSource: 'admin', tls: false, ca: '' }
  return { ...unsaid, port: 27_017, ...defaults, ...given } as MongoSettings
}

export function placesOf(config: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca } = settingsOf(config, source)
  const place = { 'host and port': [endpointText(host, port)], user: [user], tls: [String(tls)], ca: [ca] }
  return { password: place }
}

export function mongoSchema(source: SourceFacts): JsonSchema {
  const { port = 27_017, tls = false, host = 'mongo.plant.example' } = source.defaults
  return schemaOf(source, ['host', 'database'], {
    host: hostField(host),
    port: portField(port, 'Port of one server; no other member of a replica set is called'),
    database: placeField({ title: 'Database', description: 'Name of the database to read from', examples: ['plant'] }),
    user: userField(),
    password: passwordField(),
    authSource: {
      type: 'string',
      title: 'Database of the user',
      description: 'The database that the user was made in',
      default: 'admin',
      minLength: 1,
      maxLength: 200,
      'x-group': 'sign-in'
    },
    tls: tlsField(tls),
    ca: authorityField()
  })
}
