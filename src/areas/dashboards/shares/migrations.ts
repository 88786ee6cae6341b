import type { Migration } from '../../../engines/metadata/index.ts'

declare module '../../../engines/metadata/index.ts' {
  interface Tables {
    dashboard_snapshots: SnapshotRow
    dashboard_shares: ShareRow
    dashboard_share_views: ShareViewRow
  }
}

/** A dashboard with the data that it showed at one moment. */
export interface SnapshotRow {
  id: string
  dashboard_id: string
  name: string
  /** JSON: the content, without what its panels ask for. */
  content: string
  /** JSON: the data of all panels. */
  data: string
  /** JSON: the references of the data, whose levels are asked for whenever it is shown. */
  reads: string
  version: number
  created_by: string
  created_at: string
}

/** A link that shows a dashboard, or a snapshot of it, to whoever has it. */
export interface ShareRow {
  id: string
  dashboard_id: string
  snapshot_id: string | null
  name: string
  /** SHA-256 of the token, in Base64: the token itself is told once. */
  token_hash: string
  /** Salt and scrypt hash of the password, in Base64; null where there is none. */
  password: string | null
  /** Wrong passwords since the last right one. */
  failures: number
  locked_until: string | null
  expires_at: string | null
  revoked_at: string | null
  /** JSON: values of variables that viewers can't change. */
  variables: string
  choose_time: number
  max_rows: number
  per_minute: number
  /** JSON: origins of pages that may embed it. */
  origins: string
  /** The highest rank of a level that it shows. */
  shows_rank: number
  views: number
  last_viewed_at: string | null
  created_by: string
  created_by_name: string
  created_at: string
}

export interface ShareViewRow {
  share_id: string
  /** Counts the views of a share: several can be at the same time. */
  number: number
  viewed_at: string
  /** Where the viewer was, as far as that tells nobody who it was. */
  address_class: string
}

export const shareMigrations: readonly Migration[] = [
  {
    id: 'dashboards/002-shares',
    async up(db, type) {
      await db.schema
        .createTable('dashboard_snapshots')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('dashboard_id', type.text, (column) =>
          column.notNull().references('dashboards.id').onDelete('cascade')
        )
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('content', type.text, (column) => column.notNull())
        .addColumn('data', type.text, (column) => column.notNull())
        .addColumn('reads', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('dashboard_snapshots_by_dashboard')
        .on('dashboard_snapshots')
        .columns(['dashboard_id', 'id'])
        .execute()
      await db.schema
        .createTable('dashboard_shares')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('dashboard_id', type.text, (column) =>
          column.notNull().references('dashboards.id').onDelete('cascade')
        )
        .addColumn('snapshot_id', type.text, (column) =>
          column.references('dashboard_snapshots.id').onDelete('cascade')
        )
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('token_hash', type.text, (column) => column.notNull().unique())
        .addColumn('password', type.text)
        .addColumn('failures', type.integer, (column) => column.notNull())
        .addColumn('locked_until', type.text)
        .addColumn('expires_at', type.text)
        .addColumn('revoked_at', type.text)
        .addColumn('variables', type.text, (column) => column.notNull())
        .addColumn('choose_time', type.integer, (column) => column.notNull())
        .addColumn('max_rows', type.integer, (column) => column.notNull())
        .addColumn('per_minute', type.integer, (column) => column.notNull())
        .addColumn('origins', type.text, (column) => column.notNull())
        .addColumn('shows_rank', type.integer, (column) => column.notNull())
        .addColumn('views', type.integer, (column) => column.notNull())
        .addColumn('last_viewed_at', type.text)
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_by_name', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('dashboard_shares_by_dashboard')
        .on('dashboard_shares')
        .columns(['dashboard_id', 'id'])
        .execute()
      await db.schema
        .createTable('dashboard_share_views')
        .addColumn('share_id', type.text, (column) =>
          column.notNull().references('dashboard_shares.id').onDelete('cascade')
        )
        .addColumn('number', type.integer, (column) => column.notNull())
        .addColumn('viewed_at', type.text, (column) => column.notNull())
        .addColumn('address_class', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('dashboard_share_views_pk', ['share_id', 'number'])
        .execute()
    }
  }
]
