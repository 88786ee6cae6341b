import type { RemoteSettings } from '../../objects/index.ts'
import { hostText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { caField, endpointFields, filesSchema, secretField, tlsField } from '../files/config.ts'
import type { SourceConfig } from '../index.ts'
import type { FieldSchema, JsonSchema } from '../schema.ts'

export type ObjectsKind = RemoteSettings['kind']

export interface ObjectsSettings extends RemoteSettings {
  readonly bucket: string
}

interface ObjectsConfig {
  readonly bucket: string
  readonly host?: string
  readonly port?: number
  readonly tls?: boolean
  readonly ca?: string
  readonly region?: string
  readonly pathStyle?: boolean
  readonly accessKey?: string
  readonly secretKey?: string
}

export function settingsOf(kind: ObjectsKind, config: SourceConfig): ObjectsSettings {
  const given = config as unknown as ObjectsConfig
  return {
    kind,
    bucket: given.bucket,
    endpoint: given.host,
    port: given.port,
    useTls: given.tls ?? true,
    ca: given.ca,
    region: given.region,
    pathStyle: given.pathStyle ?? given.host !== undefined,
    accessKey: given.accessKey ?? '',
    secretKey: given.secretKey ?? ''
  }
}

/** The secret signs what is sent, and must sign nothing for anybody else. */
export function placesOf(kind: ObjectsKind, config: SourceConfig): Readonly<Record<string, Place>> {
  const { endpoint, port, useTls, ca = '', accessKey } = settingsOf(kind, config)
  const host = endpoint === undefined ? 'of the vendor' : hostText(endpoint)
  const encryption = { tls: [String(useTls)], ca: [ca] }
  return { secretKey: { host: [host], port: [String(port ?? '')], ...encryption, accessKey: [accessKey] } }
}

const WORDS: Readonly<Record<ObjectsKind, { bucket: string; accessKey: string; secretKey: string; host: string }>> = {
  s3: {
    bucket: 'Name of the bucket, such as plant-exports',
    accessKey: 'Access key ID, such as AKIAIOSFODNN7EXAMPLE; one that may only list and read is enough',
    secretKey: 'Secret access key. Sealed, and never shown again',
    host: 'minio.plant.example'
  },
  azure: {
    bucket: 'Name of the container, such as plant-exports',
    accessKey: 'Name of the storage account: 3 to 24 small letters and digits',
    secretKey: 'One of the access keys of the account. Sealed, and never shown again',
    host: 'blob.core.windows.net'
  },
  gcs: {
    bucket: 'Name of the bucket, such as plant-exports',
    accessKey: 'E-mail address of a service account; not needed where the secret is its whole key file',
    secretKey: 'The key file of the service account, as JSON, or the private key in it. Sealed, and never shown again',
    host: 'storage.googleapis.com'
  }
}

export function objectsSchema(kind: ObjectsKind, { name }: SourceFacts): JsonSchema {
  const words = WORDS[kind]
  const { host, port } = endpointFields(443, words.host)
  const { default: _, ...anyPort } = port as FieldSchema & { default?: unknown }
  return filesSchema(
    name,
    {
      bucket: field(kind === 'azure' ? 'Container' : 'Bucket', words.bucket, 'place', 'plant-exports'),
      host: { ...host, description: 'Name or address of the server; that of the vendor unless given' } as FieldSchema,
      port: { ...anyPort, description: 'Port of the server; the usual one unless given' } as FieldSchema,
      ...(kind === 's3' && {
        region: field('Region', 'Region of the bucket; us-east-1 unless given', 'place', 'eu-west-1')
      }),
      ...(kind === 's3' && { pathStyle }),
      accessKey: field(kind === 'azure' ? 'Account' : 'Access key', words.accessKey, 'sign-in'),
      secretKey: secretField('Secret', words.secretKey, kind === 'gcs'),
      tls: tlsField('Whether the connection is encrypted; without a host it always is', true),
      ca: caField
    },
    kind === 'gcs' ? ['bucket', 'secretKey'] : ['bucket', 'accessKey', 'secretKey']
  )
}

const pathStyle: FieldSchema = {
  type: 'boolean',
  title: 'Bucket in the path',
  description:
    'Whether the bucket is a part of the path rather than of the name of the host; so it is where a host is given',
  'x-group': 'place'
}

function field(title: string, description: string, group: 'place' | 'sign-in', example?: string): FieldSchema {
  const examples = example === undefined ? {} : { examples: [example] }
  return { type: 'string', title, description, ...examples, minLength: 1, maxLength: 500, 'x-group': group }
}
