import { ListQuery, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Id, Name, Nullable, OneOf, Timestamp, Version } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { CHECKS } from './checks/names.ts'
import { PROVIDER_TYPES } from './settings.ts'

export const MASK = '********'

const ProviderType = OneOf(
  PROVIDER_TYPES,
  '`store-local` any self-hosted S3, or the server’s own disk without an endpoint; `store-cloud-a` Amazon S3; `store-cloud-b` Azure Blob; `store-cloud-c` Google Cloud Storage'
)
const Endpoint = Type.String({
  minLength: 1,
  maxLength: 253,
  description: 'Host name or address, without scheme, port or path'
})
const Port = Type.Integer({ minimum: 1, maximum: 65_535, description: '443 with TLS and 80 without, if not said' })
const Region = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9-]+$' })
const BucketPrefix = Type.String({
  maxLength: 40,
  pattern: '^([a-z0-9][a-z0-9-]*)?$',
  description: 'Put before the name of each new bucket, where the provider’s buckets are shared with others'
})
const UseTls = Type.Boolean({ description: 'Whether connections are encrypted' })
const PathStyle = Type.Boolean({
  description: 'S3: the bucket as the first part of the path rather than of the host name'
})
const Credentials = Closed({
  accessKey: Type.String({ maxLength: 512, description: 'S3 access key, Azure account, Google service account' }),
  secretKey: Type.String({
    maxLength: 16_384,
    description: 'S3 secret key, Azure account key, Google private key or key file'
  })
})
export type Credentials = Static<typeof Credentials>

export const Check = Type.Object({
  name: Type.String({ description: 'What was tried' }),
  ok: Type.Boolean(),
  ms: Type.Integer({ minimum: 0, description: 'How long it took' }),
  code: Nullable(Type.String({ description: 'Why it failed or was left out; null where it worked' })),
  message: Type.String({ description: 'What was found, and what to change' })
})
export type Check = Static<typeof Check>

const Success = Type.Boolean({ description: 'Whether everything that the platform needs works' })
const Message = Type.String({ description: 'What works, or which check failed and what to change' })
const Checks = Type.Array(Check, {
  description: `In the order they were made: ${CHECKS.map((name) => `\`${name}\``).join(', ')}`
})

export const TestResult = Type.Object(
  { success: Success, message: Message, checks: Checks },
  {
    $id: 'StorageProviderTest',
    examples: [
      {
        success: false,
        message: 'The check write failed: The access key may not do this in readings; grant it s3:PutObject.',
        checks: [
          { name: 'list', ok: true, ms: 12, code: null, message: 'What begins with .millrace-probe/ can be listed' },
          {
            name: 'write',
            ok: false,
            ms: 9,
            code: 'access_denied',
            message: 'The access key may not do this in readings; grant it s3:PutObject'
          },
          { name: 'read', ok: false, ms: 0, code: 'not_tried', message: 'Not tried, because write did not work' }
        ]
      }
    ]
  }
)
export type TestResult = Static<typeof TestResult>

const LastTest = Type.Object({
  at: Timestamp('When it was tested'),
  success: Success,
  message: Message,
  checks: Checks
})

export const Provider = Type.Object(
  {
    id: Id('sp', 'storage provider'),
    name: Name('What people call it'),
    type: ProviderType,
    endpoint: Nullable(Endpoint),
    port: Nullable(Port),
    region: Nullable(Region),
    useTls: UseTls,
    pathStyle: PathStyle,
    bucketPrefix: BucketPrefix,
    credentials: Nullable(Credentials),
    isDefault: Type.Boolean({ description: 'Whether buckets are made here if no provider is named' }),
    builtIn: Type.Boolean({ description: 'Whether it is the one that the server’s configuration describes' }),
    lastTest: Nullable(LastTest),
    version: Version,
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it was last changed')
  },
  {
    $id: 'StorageProvider',
    examples: [
      {
        id: 'sp_01kb8y2m6ze8r4n0c5t7w9q3fd',
        name: 'plant store',
        type: 'store-local',
        endpoint: 's3.plant.example',
        port: 9000,
        region: 'us-east-1',
        useTls: true,
        pathStyle: true,
        bucketPrefix: '',
        credentials: { accessKey: MASK, secretKey: MASK },
        isDefault: false,
        builtIn: false,
        lastTest: null,
        version: 1,
        createdAt: '2026-01-01T08:00:00.000Z',
        updatedAt: '2026-01-01T08:00:00.000Z'
      }
    ]
  }
)
export type Provider = Static<typeof Provider>

const settings = {
  endpoint: Type.Optional(Nullable(Endpoint)),
  port: Type.Optional(Nullable(Port)),
  region: Type.Optional(Nullable(Region)),
  useTls: Type.Optional(UseTls),
  pathStyle: Type.Optional(PathStyle),
  bucketPrefix: Type.Optional(BucketPrefix),
  credentials: Type.Optional(Nullable(Credentials)),
  isDefault: Type.Optional(Type.Boolean())
}

export const ProviderCreate = Closed(
  { name: Name('What people call it'), type: ProviderType, ...settings },
  {
    $id: 'StorageProviderCreate',
    description:
      'Without `useTls`, connections are encrypted, except to a `store-local` with a port other than 443. Without `pathStyle`, it is on for `store-local`.'
  }
)
export type ProviderCreate = Static<typeof ProviderCreate>

export const ProviderUpdate = Closed(
  { name: Type.Optional(Name('What people call it')), type: Type.Optional(ProviderType), ...settings },
  {
    $id: 'StorageProviderUpdate',
    description: `The type can’t change. A credential sent as \`${MASK}\`, or not at all, stays as it is, while it goes to the same server and account.`
  }
)
export type ProviderUpdate = Static<typeof ProviderUpdate>

const TestBucket = Type.String({
  minLength: 3,
  maxLength: 222,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  description:
    'A bucket that is there, by the store’s own name for it, to test in. Without it, that is the first of the platform’s buckets at the provider, or else one that is made for the test and removed'
})

export const ProviderTest = Nullable(Closed({ bucket: Type.Optional(TestBucket) }))
export const SettingsTest = Closed(
  { name: Name('What people call it'), type: ProviderType, ...settings, bucket: Type.Optional(TestBucket) },
  { $id: 'StorageProviderSettingsTest', description: 'What a provider would be made from; nothing of it is kept.' }
)
export type SettingsTest = Static<typeof SettingsTest>

export const ProviderParams = Params('storage-provider', 'id', { id: Type.String({ maxLength: 64 }) })
export const ProviderQuery = ListQuery(['createdAt', 'name'], { q: Search })
export type ProviderQuery = Static<typeof ProviderQuery>
export const ProviderList = Type.Array(Provider)
export const ProviderTypes = Type.Array(ProviderType)
