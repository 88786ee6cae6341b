import type { Migration } from '../../engines/metadata/index.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    buckets: BucketRow
    bucket_uploads: UploadRow
    bucket_parts: PartRow
    bucket_links: LinkRow
  }
}

export interface BucketRow {
  name: string
  provider_id: string
  /** The provider's own name for the bucket. */
  backend_name: string
  created_by: string
  created_at: string
}

export interface UploadRow {
  id: string
  bucket: string
  key: string
  content_type: string
  /** The store's own id of the upload. */
  store_upload_id: string
  created_by: string
  created_at: string
  expires_at: string
}

export interface PartRow {
  upload_id: string
  number: number
  size: number
  etag: string
  received_at: string
}

export interface LinkRow {
  id: string
  bucket: string
  key: string
  /** Whether this server or the provider answers the link. */
  kind: 'server' | 'provider'
  download_as: string | null
  max_uses: number | null
  uses: number
  last_used_at: string | null
  revoked_at: string | null
  expires_at: string
  created_by: string
  created_at: string
  /** The rank of the strictest level that it shows; null where it was made before there were clearances. */
  shows_rank: number | null
}

export const bucketMigrations: readonly Migration[] = [
  {
    id: 'buckets/001-buckets',
    async up(db, type) {
      await db.schema
        .createTable('buckets')
        .addColumn('name', type.text, (column) => column.primaryKey())
        .addColumn('provider_id', type.text, (column) => column.notNull().references('storage_providers.id'))
        .addColumn('backend_name', type.text, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('buckets_provider').on('buckets').column('provider_id').execute()
    }
  },
  {
    id: 'buckets/002-uploads',
    async up(db, type) {
      await db.schema
        .createTable('bucket_uploads')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('bucket', type.text, (column) => column.notNull().references('buckets.name'))
        .addColumn('key', type.text, (column) => column.notNull())
        .addColumn('content_type', type.text, (column) => column.notNull())
        .addColumn('store_upload_id', type.text, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('expires_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('bucket_uploads_bucket').on('bucket_uploads').columns(['bucket', 'id']).execute()
      await db.schema.createIndex('bucket_uploads_expiry').on('bucket_uploads').column('expires_at').execute()
      await db.schema
        .createTable('bucket_parts')
        .addColumn('upload_id', type.text, (column) =>
          column.notNull().references('bucket_uploads.id').onDelete('cascade')
        )
        .addColumn('number', type.integer, (column) => column.notNull())
        .addColumn('size', type.integer, (column) => column.notNull())
        .addColumn('etag', type.text, (column) => column.notNull())
        .addColumn('received_at', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('bucket_parts_pk', ['upload_id', 'number'])
        .execute()
    }
  },
  {
    id: 'buckets/003-links',
    async up(db, type) {
      await db.schema
        .createTable('bucket_links')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('bucket', type.text, (column) => column.notNull().references('buckets.name'))
        .addColumn('key', type.text, (column) => column.notNull())
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('download_as', type.text)
        .addColumn('max_uses', type.integer)
        .addColumn('uses', type.integer, (column) => column.notNull())
        .addColumn('last_used_at', type.text)
        .addColumn('revoked_at', type.text)
        .addColumn('expires_at', type.text, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('bucket_links_bucket').on('bucket_links').columns(['bucket', 'id']).execute()
      await db.schema.createIndex('bucket_links_expiry').on('bucket_links').column('expires_at').execute()
    }
  },
  {
    id: 'buckets/004-link-levels',
    async up(db, type) {
      await db.schema.alterTable('bucket_links').addColumn('shows_rank', type.integer).execute()
    }
  }
]
