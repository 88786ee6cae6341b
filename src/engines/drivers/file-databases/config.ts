import { originText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { caField, secretField, tlsField, userField } from '../files/config.ts'
import type { HttpFileSettings } from '../http-file/config.ts'
import type { SourceConfig } from '../index.ts'
import { type ObjectsSettings, placesOf as objectsPlaces, settingsOf as objectsSettings } from '../objects/config.ts'
import type { FieldSchema, JsonSchema } from '../schema.ts'

/** Where the file is: at an address, or in a bucket. */
export type FileSettings =
  | { readonly kind: 'http'; readonly settings: HttpFileSettings; readonly path: string }
  | { readonly kind: 's3'; readonly settings: ObjectsSettings; readonly path: string }

export function settingsOf(config: SourceConfig): FileSettings {
  const { url, user, password, token, ca } = config as { url: string } & Partial<
    Record<'user' | 'password' | 'token' | 'ca', string>
  >
  const [, bucket, path = ''] = /^s3:\/\/([^/]+)\/(.+)$/s.exec(url) ?? []
  if (bucket !== undefined) return { kind: 's3', settings: objectsSettings('s3', { ...config, bucket }), path }
  return { kind: 'http', settings: { urls: [url], user, password, token, ca, format: 'auto' }, path: url }
}

/** Each secret goes to where the file is, in the way of that place. */
export function placesOf(config: SourceConfig): Readonly<Record<string, Place>> {
  const { url, user = '', ca = '' } = config as { url: string; user?: string; ca?: string }
  const origin = originText(url)
  return {
    password: { url: [origin], user: [user], ca: [ca] },
    token: { url: [origin], ca: [ca] },
    ...objectsPlaces('s3', config)
  }
}

export function fileDatabaseSchema({ name }: SourceFacts): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: name,
    required: ['url'],
    additionalProperties: false,
    properties: {
      url: {
        type: 'string',
        title: 'Address',
        description:
          'Where the file is: https://plant.example/history.db, or s3://bucket/path/history.db. Files on the disk of this server can’t be read, since what lies there is not for everybody. It is shown to whoever sees the connector, so a secret does not belong into it',
        minLength: 1,
        maxLength: 1000,
        pattern: '^(https?://[^\\s@]+|s3://[^\\s/@]+/[^\\r\\n\\0]+)$',
        examples: ['https://plant.example/history.db', 's3://plant-exports/history.db'],
        'x-group': 'place'
      },
      host: s3Field('Host', 'Of s3: name or address of the store; that of Amazon unless given', 'minio.plant.example'),
      port: {
        type: 'integer',
        title: 'Port',
        description: 'Of s3: port of the store; the usual one unless given',
        minimum: 1,
        maximum: 65_535,
        'x-group': 'place'
      },
      region: s3Field('Region', 'Of s3: region of the bucket; us-east-1 unless given', 'eu-west-1'),
      user: userField('Of an address: the name to sign in with, where the server asks for name and password'),
      password: secretField('Password', 'Of an address: the password. Sealed, and never shown again'),
      token: secretField('Token', 'Of an address: sent as `Authorization: Bearer …`. Sealed, and never shown again'),
      accessKey: { ...s3Field('Access key', 'Of s3: the access key ID', 'AKIAIOSFODNN7EXAMPLE'), 'x-group': 'sign-in' },
      secretKey: secretField('Secret key', 'Of s3: the secret access key. Sealed, and never shown again'),
      tls: tlsField('Of s3: whether the connection is encrypted; without a host it always is', true),
      ca: caField
    }
  }
}

const s3Field = (title: string, description: string, example: string): FieldSchema => ({
  type: 'string',
  title,
  description,
  examples: [example],
  minLength: 1,
  maxLength: 500,
  'x-group': 'place'
})
