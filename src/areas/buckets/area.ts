import './errors.ts'
import { declareArea } from '../../area.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { wholeNumber } from '../../env-reading.ts'
import { encodeKeyInAddress } from './key-address.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'bucket.created': { readonly id: string }
    'bucket.updated': { readonly id: string }
    'bucket.deleted': { readonly id: string }
    'object.created': {
      readonly id: string
      readonly bucket: string
      readonly key: string
      readonly sizeBytes: number
      readonly etag: string
      readonly contentType: string
    }
    'object.deleted': { readonly id: string; readonly bucket: string; readonly key: string }
    'upload.created': { readonly id: string }
    'upload.updated': { readonly id: string }
    'upload.deleted': { readonly id: string }
    'link.created': { readonly id: string }
    'link.updated': { readonly id: string }
  }
}

declare module '../../config.ts' {
  interface Config {
    readonly maxObjectBytes: number
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    buckets: 'bucket'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    buckets: 'read' | 'write'
  }
}

export const buckets = declareArea({
  name: 'buckets',
  about: 'Buckets and the objects in them, whichever provider keeps them.',
  paths: ['/api/buckets'],
  permissions: ['buckets:read', 'buckets:write'],
  settings: {
    maxObjectBytes: {
      name: 'MAX_OBJECT_BYTES',
      default: '5368709120',
      about: 'Largest object accepted',
      read: wholeNumber(1, 5 * 1024 ** 4)
    }
  },
  migrations: {
    ids: ['buckets/001-buckets', 'buckets/002-uploads', 'buckets/003-links', 'buckets/004-link-levels'],
    load: async () => (await import('./migrations.ts')).bucketMigrations
  },
  jobs: {
    'buckets.clean': {
      everyMs: 3600_000,
      isNeeded: (db) => hasRows(db.selectFrom('buckets'))
    }
  },
  rewriteAddress: encodeKeyInAddress,
  load: async () => (await import('./body.ts')).bucketsBody
})
