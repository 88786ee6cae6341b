import type { Migration } from '../../../engines/metadata/index.ts'

declare module '../../../engines/metadata/index.ts' {
  interface Tables {
    dashboard_annotations: AnnotationRow
  }
}

/** Something that happened, to be seen on time axes. */
export interface AnnotationRow {
  id: string
  /** The dashboard that it is for; null where it is for all. */
  dashboard_id: string | null
  kind: 'note' | 'deployment'
  /** Milliseconds since 1970. */
  from_ms: number
  to_ms: number | null
  text: string
  /** JSON. */
  tags: string
  created_by: string
  created_at: string
}

export const annotationMigrations: readonly Migration[] = [
  {
    id: 'dashboards/003-annotations',
    async up(db, type) {
      await db.schema
        .createTable('dashboard_annotations')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('dashboard_id', type.text, (column) => column.references('dashboards.id').onDelete('cascade'))
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('from_ms', type.integer, (column) => column.notNull())
        .addColumn('to_ms', type.integer)
        .addColumn('text', type.text, (column) => column.notNull())
        .addColumn('tags', type.text, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('dashboard_annotations_by_time')
        .on('dashboard_annotations')
        .columns(['dashboard_id', 'from_ms'])
        .execute()
    }
  }
]
