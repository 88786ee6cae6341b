import type { Migration } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    integration_sources: OwnSourceRow
  }
}

/** A source that a user has added. */
export interface OwnSourceRow extends Stamps {
  id: string
  /** JSON. */
  entry: string
  created_by: string
}

export const integrationMigrations: readonly Migration[] = [
  {
    id: 'integration/001-own-sources',
    async up(db, type) {
      await db.schema
        .createTable('integration_sources')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('entry', type.text, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
    }
  }
]
