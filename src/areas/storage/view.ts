import type { RemoteSettings } from '../../engines/objects/index.ts'
import type { ProviderRow } from './migrations.ts'
import { MASK, type Provider } from './schema.ts'

interface Surroundings {
  readonly defaultId: string
  /** The settings of the built-in provider in the configuration; undefined where it is on the disk. */
  readonly builtIn: (RemoteSettings & { readonly bucketPrefix: string }) | undefined
}

/** A provider as the API shows it: without its secrets. */
export function toProvider(row: ProviderRow, { defaultId, builtIn }: Surroundings): Provider {
  const remote = row.built_in === 1 ? builtIn : undefined
  const endpoint = remote?.endpoint ?? row.endpoint
  const useTls = remote?.useTls ?? row.use_tls === 1
  const hasSecrets = row.credentials !== null || remote !== undefined
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    endpoint,
    port: remote?.port ?? row.port ?? (endpoint === null ? null : useTls ? 443 : 80),
    region: remote?.region ?? row.region,
    useTls,
    pathStyle: remote?.pathStyle ?? row.path_style === 1,
    bucketPrefix: remote?.bucketPrefix ?? row.bucket_prefix,
    credentials: hasSecrets ? { accessKey: MASK, secretKey: MASK } : null,
    isDefault: row.id === defaultId,
    builtIn: row.built_in === 1,
    lastTest: row.last_test === null ? null : JSON.parse(row.last_test),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}
