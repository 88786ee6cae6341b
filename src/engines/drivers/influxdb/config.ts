import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { authorityField } from '../common/fields.ts'
import type { SourceConfig } from '../index.ts'
import type { ApiSettings } from '../machines/api.ts'
import { configSchema, hostField, portField, secretField, tlsField, userField } from '../machines/fields.ts'
import type { FieldSchema, JsonSchema } from '../schema.ts'

const USUAL_PORT = 8086

export interface InfluxSettings extends ApiSettings {
  readonly database: string
  readonly retentionPolicy: string | undefined
  readonly user: string
  readonly hasToken: boolean
}

interface InfluxConfig {
  readonly host: string
  readonly port?: number
  readonly tls?: boolean
  readonly ca?: string
  readonly database: string
  readonly retentionPolicy?: string
  readonly user?: string
  readonly password?: string
  readonly token?: string
}

export function settingsOf(given: SourceConfig, { defaults }: SourceFacts): InfluxSettings {
  const config = given as unknown as InfluxConfig
  const { host, port = USUAL_PORT, tls = defaults.tls ?? false, database, retentionPolicy } = config
  const { user = '', token, ca } = config
  const hasToken = token !== undefined
  return { host, port, tls, ca, database, retentionPolicy, user, hasToken, headers: headersOf(config) }
}

function headersOf({ user, password = '', token }: InfluxConfig): Record<string, string> {
  if (token !== undefined) return { authorization: `Token ${token}` }
  if (user === undefined || user === '') return {}
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

export function placesOf(given: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca = '' } = settingsOf(given, source)
  const place = { 'host and port': [endpointText(host, port)], tls: [String(tls)], ca: [ca] }
  return { password: { ...place, user: [user] }, token: place }
}

export function influxSchema({ name, authentication, defaults }: SourceFacts): JsonSchema {
  const isTokens = authentication === 'token'
  const signIn: Record<string, FieldSchema> = isTokens
    ? { token: secretField('Token', 'A token that may read the bucket') }
    : {
        user: userField('The name to sign in with, where the server wants one; one that may only read is enough'),
        password: secretField('Password', 'Password of the user')
      }
  return configSchema(name, isTokens ? ['host', 'database', 'token'] : ['host', 'database'], {
    host: hostField('Name or address of the server', defaults.host ?? 'influx.plant.example'),
    port: portField('Port of its HTTP interface', USUAL_PORT),
    database: {
      type: 'string',
      title: 'Database',
      description: isTokens ? 'Name of the bucket, or of the database that is mapped to it' : 'Name of the database',
      examples: ['plant'],
      minLength: 1,
      maxLength: 500,
      'x-group': 'place'
    },
    retentionPolicy: {
      type: 'string',
      title: 'Retention policy',
      description: 'Which of the database to read; the one that it takes by default unless given',
      examples: ['autogen'],
      minLength: 1,
      maxLength: 500,
      'x-group': 'reading'
    },
    ...signIn,
    tls: tlsField(defaults.tls ?? false),
    ca: authorityField()
  })
}
