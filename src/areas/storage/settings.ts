import { join } from 'node:path'
import type { StoreSettings } from '../../engines/objects/index.ts'
import { invalidField } from '../../errors.ts'
import type { ProviderRow } from './migrations.ts'
import type { Credentials, ProviderCreate } from './schema.ts'

export const PROVIDER_TYPES = ['store-local', 'store-cloud-a', 'store-cloud-b', 'store-cloud-c'] as const
export type ProviderType = (typeof PROVIDER_TYPES)[number]

/** The id of the provider that the configuration describes. */
export const BUILT_IN_ID = 'sp_builtin'

const KINDS = { 'store-local': 's3', 'store-cloud-a': 's3', 'store-cloud-b': 'azure', 'store-cloud-c': 'gcs' } as const

/** The settings with which the engine opens the store of a provider. */
export function settingsOf(
  row: Connection & Pick<ProviderRow, 'id'>,
  credentials: Credentials | undefined,
  objectsDir: string
): StoreSettings {
  if (isDisk(row)) {
    return { kind: 'disk', folder: join(objectsDir, row.id === BUILT_IN_ID ? 'builtin' : row.id) }
  }
  return {
    kind: KINDS[row.type],
    endpoint: row.endpoint ?? undefined,
    port: row.port ?? undefined,
    useTls: row.use_tls === 1,
    region: row.region ?? undefined,
    pathStyle: row.path_style === 1,
    accessKey: credentials?.accessKey ?? '',
    secretKey: credentials?.secretKey ?? ''
  }
}

export function isDisk({ type, endpoint }: Pick<ProviderRow, 'type' | 'endpoint'>): boolean {
  return type === 'store-local' && endpoint === null
}

export type Connection = Pick<
  ProviderRow,
  'type' | 'endpoint' | 'port' | 'region' | 'use_tls' | 'path_style' | 'bucket_prefix'
>

/** The connection that a body describes, with defaults for what was not sent. */
export function connectionOf(body: Omit<ProviderCreate, 'name' | 'type'> & { type: ProviderType }): Connection {
  const { type, endpoint = null, port = null, region = null, bucketPrefix = '' } = body
  const isLocal = type === 'store-local'
  return {
    type,
    endpoint,
    port,
    region,
    use_tls: (body.useTls ?? !(isLocal && port !== null && port !== 443)) ? 1 : 0,
    path_style: (body.pathStyle ?? isLocal) ? 1 : 0,
    bucket_prefix: bucketPrefix
  }
}

/** The connection as the API shows it. */
export function fieldsOf(row: Connection) {
  return {
    endpoint: row.endpoint,
    port: row.port,
    region: row.region,
    useTls: row.use_tls === 1,
    pathStyle: row.path_style === 1,
    bucketPrefix: row.bucket_prefix
  }
}

/** Refuses settings that can't work with any provider. */
export function checkConnection(row: Connection, credentials: Credentials | undefined): void {
  if (row.endpoint !== null && !isHost(row.endpoint)) {
    throw invalidField(
      '/endpoint',
      'must be a host name or an address, without scheme, path or port (use port for that)'
    )
  }
  if (row.endpoint === null && row.port !== null) throw invalidField('/port', 'needs an endpoint beside it')
  if (isDisk(row)) {
    if (credentials !== undefined) throw invalidField('/credentials', 'are of no use without an endpoint')
    return
  }
  // Emulators of Google's storage take no credentials.
  const needsNoCredentials = row.type === 'store-cloud-c' && row.endpoint !== null
  if (credentials === undefined && !needsNoCredentials) throw invalidField('/credentials', 'are required')
  if (row.type === 'store-cloud-b' && !/^[a-z0-9]{3,24}$/.test(credentials?.accessKey ?? '')) {
    throw invalidField('/credentials/accessKey', 'must be the name of the storage account: 3 to 24 letters and digits')
  }
}

/** Whether it is a host name or an IP address that a URL can hold. */
function isHost(endpoint: string): boolean {
  const isPlain = /^(\[[0-9a-fA-F:.]+\]|[^\s:/?#@[\]]+|[0-9a-fA-F:]+)$/.test(endpoint)
  const host = endpoint.includes(':') && !endpoint.startsWith('[') ? `[${endpoint}]` : endpoint
  return isPlain && URL.canParse(`http://${host}/`)
}
