import type { Migration } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'
import type { SourceKind } from './schema.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    catalog_sources: SourceRow
    catalog_tags: TagRow
  }
}

export interface SourceRow extends Stamps {
  id: string
  name: string
  kind: SourceKind
  description: string
  /** A duration such as `30d`; null: for ever. */
  retention: string | null
  created_by: string
}

/** What people have set for a tag; the tags themselves are in the time-series engine. */
export interface TagRow {
  source_id: string
  name: string
  unit: string | null
  description: string
  version: number
}

export const catalogMigrations: readonly Migration[] = [
  {
    id: 'catalog/001-sources',
    async up(db, type) {
      await db.schema
        .createTable('catalog_sources')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('description', type.text, (column) => column.notNull())
        .addColumn('retention', type.text)
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('catalog_tags')
        .addColumn('source_id', type.text, (column) =>
          column.notNull().references('catalog_sources.id').onDelete('cascade')
        )
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('unit', type.text)
        .addColumn('description', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('catalog_tags_pk', ['source_id', 'name'])
        .execute()
    }
  }
]
