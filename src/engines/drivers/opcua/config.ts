import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import type { SourceConfig } from '../index.ts'
import { configSchema, hostField, portField, secretField, userField } from '../machines/fields.ts'
import type { JsonSchema } from '../schema.ts'

const USUAL_PORT = 4840
/** The folder of objects, where everything of a plant is below. */
const OBJECTS = 'i=85'

export interface OpcuaSettings {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly isEncrypted: boolean
  /** As PEM. */
  readonly serverCertificate: string
  readonly user: string
  readonly password: string
  readonly root: string
}

interface OpcuaConfig extends Partial<Omit<OpcuaSettings, 'isEncrypted'>> {
  readonly host: string
  readonly security?: 'None' | 'SignAndEncrypt'
}

export function settingsOf(given: SourceConfig): OpcuaSettings {
  const { security = 'None', ...config } = given as unknown as OpcuaConfig
  return {
    host: config.host,
    port: config.port ?? USUAL_PORT,
    path: config.path ?? '',
    isEncrypted: security === 'SignAndEncrypt',
    serverCertificate: config.serverCertificate ?? '',
    user: config.user ?? '',
    password: config.password ?? '',
    root: config.root ?? OBJECTS
  }
}

export function placesOf(given: SourceConfig): Readonly<Record<string, Place>> {
  const { host, port, user, isEncrypted, serverCertificate } = settingsOf(given)
  const security = isEncrypted ? serverCertificate : 'None'
  return { password: { 'host and port': [endpointText(host, port)], user: [user], security: [security] } }
}

export const opcuaSchema = ({ name }: SourceFacts): JsonSchema =>
  configSchema(name, ['host'], {
    host: hostField('Name or address of the server', 'line1.plant.example'),
    port: portField('Port of the server, by opc.tcp', USUAL_PORT),
    path: {
      type: 'string',
      title: 'Path',
      description: 'What follows the port in its endpoint, where there is something',
      examples: ['/UA/Server'],
      maxLength: 500,
      pattern: '^(/[A-Za-z0-9._~%:-]+)*/?$',
      'x-group': 'place'
    },
    user: userField('The name to sign in with; nobody in particular unless given'),
    password: secretField('Password', 'Password of the user'),
    security: {
      type: 'string',
      title: 'Security',
      description:
        '`SignAndEncrypt` (Basic256Sha256) needs the certificate of the server; the server has to trust the one of this client, which is made below `DATA_DIR/drivers/opcua-certificates`. With `None` anybody on the way can read along',
      enum: ['None', 'SignAndEncrypt'],
      default: 'None',
      'x-group': 'encryption'
    },
    serverCertificate: {
      type: 'string',
      title: 'Certificate of the server',
      description: 'As PEM; no other server is spoken to then',
      examples: ['-----BEGIN CERTIFICATE-----'],
      maxLength: 20_000,
      'x-multiline': true,
      'x-group': 'encryption'
    },
    root: {
      type: 'string',
      title: 'Root',
      description: 'The node below which variables are looked for; all objects unless given',
      default: OBJECTS,
      examples: ['ns=2;s=Line1'],
      minLength: 1,
      maxLength: 1000,
      'x-group': 'reading'
    }
  })
