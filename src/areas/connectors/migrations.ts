import type { StreamKind } from '../../engines/drivers/index.ts'
import type { Migration } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    connectors: ConnectorRow
    connector_tests: ConnectorTestRow
    connector_streams: ConnectorStreamRow
  }
}

export type ConnectorStatus = 'untested' | 'healthy' | 'failing'

export interface ConnectorRow extends Stamps {
  id: string
  name: string
  source_id: string
  /** JSON with masks in place of secrets. */
  config: string
  /** Sealed JSON; null where there are none. */
  secrets: string | null
  status: ConnectorStatus
  /** Since when the status is what it is. */
  status_since: string
  /** JSON of the last test. */
  last_test: string | null
  next_test_ms: number
  discovered_at: string | null
  /** 0 where there were more streams than were kept. */
  streams_whole: 0 | 1
  /** 1 where the configuration has become another since they were found. */
  streams_stale: 0 | 1
  created_by: string
}

export interface ConnectorTestRow {
  id: string
  connector_id: string
  at: string
  success: 0 | 1
  /** That of the first step that failed. */
  code: string | null
  message: string
  /** JSON. */
  checks: string
}

export interface ConnectorStreamRow {
  connector_id: string
  name: string
  kind: StreamKind
  readable: 0 | 1
  /** JSON lists. */
  columns: string
  keys: string
  cursors: string
  /** Why it can't be read, or its columns could not be seen. */
  note: string | null
}

export const connectorMigrations: readonly Migration[] = [
  {
    id: 'connectors/001-connectors',
    async up(db, type) {
      await db.schema
        .createTable('connectors')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('source_id', type.text, (column) => column.notNull())
        .addColumn('config', type.text, (column) => column.notNull())
        .addColumn('secrets', type.text)
        .addColumn('status', type.text, (column) => column.notNull())
        .addColumn('status_since', type.text, (column) => column.notNull())
        .addColumn('last_test', type.text)
        .addColumn('next_test_ms', type.integer, (column) => column.notNull())
        .addColumn('discovered_at', type.text)
        .addColumn('streams_whole', type.integer, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('connectors_by_next_test').on('connectors').column('next_test_ms').execute()
      await db.schema
        .createTable('connector_tests')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('connector_id', type.text, (column) =>
          column.notNull().references('connectors.id').onDelete('cascade')
        )
        .addColumn('at', type.text, (column) => column.notNull())
        .addColumn('success', type.integer, (column) => column.notNull())
        .addColumn('code', type.text)
        .addColumn('message', type.text, (column) => column.notNull())
        .addColumn('checks', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('connector_tests_by_connector')
        .on('connector_tests')
        .columns(['connector_id', 'id'])
        .execute()
      await db.schema
        .createTable('connector_streams')
        .addColumn('connector_id', type.text, (column) =>
          column.notNull().references('connectors.id').onDelete('cascade')
        )
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('readable', type.integer, (column) => column.notNull())
        .addColumn('columns', type.text, (column) => column.notNull())
        .addColumn('keys', type.text, (column) => column.notNull())
        .addColumn('cursors', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('connector_streams_key', ['connector_id', 'name'])
        .execute()
    }
  },
  {
    id: 'connectors/002-stale-streams',
    async up(db, type) {
      await db.schema
        .alterTable('connectors')
        .addColumn('streams_stale', type.integer, (column) => column.notNull().defaultTo(0))
        .execute()
    }
  },
  {
    id: 'connectors/003-notes',
    async up(db, type) {
      await db.schema.alterTable('connector_streams').addColumn('note', type.text).execute()
    }
  }
]
