import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import type { SourceConfig } from '../index.ts'
import { configSchema, hostField, portField, secretField, userField } from '../machines/fields.ts'
import type { JsonSchema, ValueSchema } from '../schema.ts'
import { plainOid } from './oids.ts'
import { VALUE_TYPES, type ValueType } from './values.ts'

const USUAL_PORT = 161
const MAX_LISTED = 500
const DIGESTS = ['sha', 'sha224', 'sha256', 'sha384', 'sha512', 'md5']
const CIPHERS = ['aes', 'aes256b', 'aes256r', 'des']

export interface SnmpSettings {
  readonly host: string
  readonly port: number
  /** How to sign in: with a community (version 2c), or as a user (version 3). */
  readonly community: string | undefined
  readonly user: SnmpUser | undefined
  readonly values: readonly NamedValue[]
  readonly tables: readonly Table[]
  readonly subtrees: readonly string[]
}

export interface SnmpUser {
  readonly name: string
  readonly digest: string
  readonly password: string
  readonly cipher: string
  readonly privacyPassword: string
}

export interface NamedValue {
  readonly name: string
  readonly oid: string
  readonly type: ValueType
}

export interface Table {
  readonly name: string
  readonly columns: readonly NamedValue[]
}

interface SnmpConfig {
  readonly host: string
  readonly port?: number
  readonly version?: '2c' | '3'
  readonly community?: string
  readonly user?: string
  readonly digest?: string
  readonly password?: string
  readonly cipher?: string
  readonly privacyPassword?: string
  readonly values?: readonly (Omit<NamedValue, 'type'> & Partial<NamedValue>)[]
  readonly columns?: readonly (Omit<NamedValue, 'type'> & Partial<NamedValue> & { readonly table: string })[]
  readonly subtrees?: readonly string[]
}

export function settingsOf(given: SourceConfig): SnmpSettings {
  const config = given as unknown as SnmpConfig
  const { host, port = USUAL_PORT, version = '2c', values = [], columns = [], subtrees = [] } = config
  const tables = Map.groupBy(columns, ({ table }) => table)
  return {
    host,
    port,
    community: version === '2c' ? (config.community ?? 'public') : undefined,
    user: version === '3' ? userOf(config) : undefined,
    values: values.map(named),
    tables: [...tables].map(([name, own]) => ({ name, columns: own.map(named) })),
    subtrees: subtrees.map(plainOid)
  }
}

const named = ({ name, oid, type = 'text' }: Omit<NamedValue, 'type'> & Partial<NamedValue>): NamedValue => ({
  name,
  oid: plainOid(oid),
  type
})

const userOf = (config: SnmpConfig): SnmpUser => ({
  name: config.user ?? '',
  digest: config.digest ?? 'sha',
  password: config.password ?? '',
  cipher: config.cipher ?? 'aes',
  privacyPassword: config.privacyPassword ?? ''
})

export function placesOf(given: SourceConfig): Readonly<Record<string, Place>> {
  const { host, port, user } = settingsOf(given)
  const place = { 'host and port': [endpointText(host, port)] }
  const asUser = { ...place, user: [user?.name ?? ''], digest: [user?.digest ?? ''], cipher: [user?.cipher ?? ''] }
  return { community: place, password: asUser, privacyPassword: asUser }
}

const OID: Omit<ValueSchema, 'x-group'> = {
  type: 'string',
  title: 'OID',
  description: 'In numbers, as manuals and MIB files have it',
  examples: ['1.3.6.1.2.1.1.3.0'],
  maxLength: 500,
  pattern: '^\\.?[0-2](\\.[0-9]{1,10}){1,126}$'
}
const NAME: Omit<ValueSchema, 'x-group'> = {
  type: 'string',
  title: 'Name',
  description: 'Name of the column',
  examples: ['uptime'],
  minLength: 1,
  maxLength: 200
}
const TYPE: Omit<ValueSchema, 'x-group'> = {
  type: 'string',
  title: 'Type',
  description:
    'What the column has: `integer` for counters and gauges, `number` for texts such as 21.5 too, `text` for everything. What does not fit is empty',
  enum: VALUE_TYPES,
  default: 'text'
}

export const snmpSchema = ({ name }: SourceFacts): JsonSchema =>
  configSchema(name, ['host'], {
    host: hostField('Name or address of the device', 'switch1.plant.example'),
    port: portField('Port of its agent, by UDP', USUAL_PORT),
    version: {
      type: 'string',
      title: 'Version',
      description: '`2c` with a community, which anybody on the way can read, or `3` with a user',
      enum: ['2c', '3'],
      default: '2c',
      'x-group': 'sign-in'
    },
    community: secretField('Community', 'Of version 2c: the word that the agent wants, `public` unless given'),
    user: userField('Of version 3: the name to sign in with'),
    digest: choice('Digest', 'Of version 3: what the password is proven by', DIGESTS),
    password: secretField('Password', 'Of version 3: the authentication password; without it nothing is proven'),
    cipher: choice(
      'Cipher',
      'Of version 3: what is encrypted with; aes256b is also called Blumenthal, aes256r Reeder',
      CIPHERS
    ),
    privacyPassword: secretField('Privacy password', 'Of version 3: encrypts with it; without it nothing is encrypted'),
    values: {
      type: 'array',
      title: 'Values',
      description: 'Single values, each a column of the stream `values`. Their names mostly end in `.0`',
      maxItems: MAX_LISTED,
      'x-group': 'reading',
      items: {
        type: 'object',
        required: ['name', 'oid'],
        additionalProperties: false,
        properties: { name: NAME, oid: OID, type: TYPE }
      }
    },
    columns: {
      type: 'array',
      title: 'Columns of tables',
      description: 'Each table of these is a stream with a record for each of its rows, such as each port of a switch',
      maxItems: MAX_LISTED,
      'x-group': 'reading',
      items: {
        type: 'object',
        required: ['table', 'name', 'oid'],
        additionalProperties: false,
        properties: {
          table: { ...NAME, title: 'Table', description: 'Name of the stream', examples: ['interfaces'] },
          name: { ...NAME, examples: ['description'] },
          oid: { ...OID, description: 'Of the column, without the index of a row', examples: ['1.3.6.1.2.1.2.2.1.2'] },
          type: TYPE
        }
      }
    },
    subtrees: {
      type: 'array',
      title: 'Subtrees',
      description: 'Everything below these is in the stream `walk`, with names and types: to see what a device has',
      maxItems: 50,
      'x-group': 'reading',
      items: {
        type: 'string',
        examples: ['1.3.6.1.2.1.1'],
        maxLength: 500,
        pattern: '^\\.?[0-2](\\.[0-9]{1,10}){1,126}$'
      }
    }
  })

const choice = (title: string, description: string, choices: readonly string[]): ValueSchema => ({
  type: 'string',
  title,
  description,
  enum: choices,
  default: choices[0] as string,
  'x-group': 'sign-in'
})
