import type { Migration } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'
import type { ProviderType } from './settings.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    storage_providers: ProviderRow
    /** A table with one row, so that there is exactly one default at any time. */
    storage_default: { only: 1; provider_id: string }
    storage_troubles: TroubleRow
  }
}

/** A provider that did not do as it should at the last look. */
interface TroubleRow {
  provider_id: string
  /** A word, the same for as long as nothing else is wrong. */
  reason: string
  since: string
}

export interface ProviderRow extends Stamps {
  id: string
  name: string
  type: ProviderType
  endpoint: string | null
  port: number | null
  region: string | null
  use_tls: 0 | 1
  path_style: 0 | 1
  bucket_prefix: string
  /** Sealed JSON; null where no credentials are needed. */
  credentials: string | null
  /** 1 for the provider that the configuration describes. */
  built_in: 0 | 1
  /** JSON of the last test's result. */
  last_test: string | null
}

export const storageMigrations: readonly Migration[] = [
  {
    id: 'storage/001-providers',
    async up(db, type) {
      await db.schema
        .createTable('storage_providers')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('type', type.text, (column) => column.notNull())
        .addColumn('endpoint', type.text)
        .addColumn('port', type.integer)
        .addColumn('region', type.text)
        .addColumn('use_tls', type.integer, (column) => column.notNull())
        .addColumn('path_style', type.integer, (column) => column.notNull())
        .addColumn('bucket_prefix', type.text, (column) => column.notNull())
        .addColumn('credentials', type.text)
        .addColumn('built_in', type.integer, (column) => column.notNull())
        .addColumn('last_test', type.text)
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('storage_default')
        .addColumn('only', type.integer, (column) => column.primaryKey())
        .addColumn('provider_id', type.text, (column) => column.notNull().references('storage_providers.id'))
        .execute()
    }
  },
  {
    id: 'storage/002-troubles',
    async up(db, type) {
      await db.schema
        .createTable('storage_troubles')
        .addColumn('provider_id', type.text, (column) =>
          column.primaryKey().references('storage_providers.id').onDelete('cascade')
        )
        .addColumn('reason', type.text, (column) => column.notNull())
        .addColumn('since', type.text, (column) => column.notNull())
        .execute()
    }
  }
]
