import type { Migration } from '../../../engines/metadata/index.ts'
import type { Stamps } from '../../../http/rows.ts'

declare module '../../../engines/metadata/index.ts' {
  interface Tables {
    alert_silences: SilenceRow
    alert_inhibitions: InhibitionRow
  }
}

/** A time during which nobody is told of alerts with some labels. */
export interface SilenceRow extends Stamps {
  id: string
  /** JSON: names of labels, each with a value or pattern. */
  matchers: string
  reason: string
  starts_at: string
  /** Not included. */
  ends_at: string
  created_by: string
}

/** Alerts that nobody is told of while others are open. */
export interface InhibitionRow extends Stamps {
  id: string
  name: string
  /** JSON: what alerts match that hold others back. */
  source: string
  /** JSON: what alerts match that are held back. */
  target: string
  /** JSON: the names of labels in which both agree. */
  equal: string
  enabled: number
  created_by: string
}

export const silenceMigrations: readonly Migration[] = [
  {
    id: 'alerts/005-silences',
    async up(db, type) {
      await db.schema
        .createTable('alert_silences')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('matchers', type.text, (column) => column.notNull())
        .addColumn('reason', type.text, (column) => column.notNull())
        .addColumn('starts_at', type.text, (column) => column.notNull())
        .addColumn('ends_at', type.text, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('alert_silences_by_end').on('alert_silences').columns(['ends_at', 'id']).execute()
      await db.schema.createIndex('alert_silences_by_start').on('alert_silences').columns(['starts_at', 'id']).execute()
      await db.schema
        .createTable('alert_inhibitions')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('source', type.text, (column) => column.notNull())
        .addColumn('target', type.text, (column) => column.notNull())
        .addColumn('equal', type.text, (column) => column.notNull())
        .addColumn('enabled', type.integer, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
    }
  }
]
