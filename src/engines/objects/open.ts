import type { Outbound } from '../outbound/index.ts'
import type { ObjectStore, StoreKind } from './index.ts'

/** Where a store is and how to get in. */
export type StoreSettings = DiskSettings | RemoteSettings

export interface DiskSettings {
  readonly kind: 'disk'
  readonly folder: string
}

export interface RemoteSettings {
  readonly kind: Exclude<StoreKind, 'disk'>
  /** A host name; undefined: the vendor's own address. */
  readonly endpoint: string | undefined
  readonly port: number | undefined
  readonly useTls: boolean
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  readonly ca?: string | undefined
  readonly region: string | undefined
  /** S3 only: the bucket is the first segment of the path, rather than part of the host name. */
  readonly pathStyle: boolean
  /** S3 access key, Azure account, Google service account. */
  readonly accessKey: string
  /** S3 secret key, Azure account key, Google private key (PEM, or the whole JSON file). */
  readonly secretKey: string
}

export interface OpenedStore {
  readonly store: ObjectStore
  close(): Promise<void>
}

export interface StoreNeeds {
  /** The guarded client, which makes all connections of remote stores. */
  outbound(): Promise<Outbound>
  readonly now: () => number
}

/** Loads only the implementation that is asked for, because the vendors' clients are large. */
export async function openStore(settings: StoreSettings, needs: StoreNeeds): Promise<OpenedStore> {
  switch (settings.kind) {
    case 'disk': {
      const { openDiskStore } = await import('./disk/store.ts')
      return openDiskStore(settings.folder, needs.now)
    }
    case 's3': {
      const { openS3Store } = await import('./s3/store.ts')
      return openS3Store(settings, await needs.outbound())
    }
    case 'azure': {
      const { openAzureStore } = await import('./azure/store.ts')
      return openAzureStore(settings, await needs.outbound())
    }
    case 'gcs': {
      const { openGcsStore } = await import('./gcs/store.ts')
      return openGcsStore(settings, await needs.outbound())
    }
  }
}
