import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { authorityField } from '../common/fields.ts'
import type { SourceConfig } from '../index.ts'
import type { ApiSettings } from '../machines/api.ts'
import { configSchema, hostField, portField, secretField, tlsField, userField } from '../machines/fields.ts'
import type { JsonSchema } from '../schema.ts'

const USUAL_PORT = 9090
const USUAL_DAYS = 15

export interface PrometheusSettings extends ApiSettings {
  /** What stands before the paths of the interface. */
  readonly path: string
  readonly days: number
  readonly user: string
}

interface PrometheusConfig {
  readonly host: string
  readonly port?: number
  readonly path?: string
  readonly tls?: boolean
  readonly ca?: string
  readonly user?: string
  readonly password?: string
  readonly days?: number
}

export function settingsOf(given: SourceConfig, { defaults }: SourceFacts): PrometheusSettings {
  const config = given as unknown as PrometheusConfig
  const { host, port = defaults.port ?? USUAL_PORT, tls = false, user = '', password = '', days = USUAL_DAYS } = config
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const path = (config.path ?? '').replace(/\/+$/, '')
  return { host, port, path, tls, ca: config.ca, days, user, headers: user === '' ? {} : { authorization } }
}

export function placesOf(given: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>> {
  const { host, port, path, user, tls, ca = '' } = settingsOf(given, source)
  const encryption = { tls: [String(tls)], ca: [ca] }
  return { password: { 'host and port': [endpointText(host, port)], path: [path], user: [user], ...encryption } }
}

export const prometheusSchema = ({ name, defaults }: SourceFacts): JsonSchema =>
  configSchema(name, ['host'], {
    host: hostField('Name or address of the server', 'prometheus.plant.example'),
    port: portField('Port of its HTTP interface', defaults.port ?? USUAL_PORT),
    path: {
      type: 'string',
      title: 'Path',
      description: 'What stands before /api/v1, where it is not at the root of the server',
      examples: ['/prometheus'],
      maxLength: 500,
      pattern: '^(/[A-Za-z0-9._~%:-]+)*/?$',
      'x-group': 'place'
    },
    user: userField('The name to sign in with, where the server or a proxy before it wants one'),
    password: secretField('Password', 'Password of the user'),
    tls: tlsField(false),
    ca: authorityField(),
    days: {
      type: 'integer',
      title: 'Days back',
      description: 'How many days back reading begins where it does not go on from a position',
      default: USUAL_DAYS,
      minimum: 1,
      maximum: 36_500,
      'x-group': 'reading'
    }
  })
