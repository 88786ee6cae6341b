import type { Migration } from '../../engines/metadata/index.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    integration_authorizations: AuthorizationRow
  }
}

/** `waiting` for a person, `exchanging` what they came back with, and what came of it. */
export type AuthorizationStatus = 'waiting' | 'exchanging' | 'permitted' | 'failed'

/** A permission that a person is asked for. */
export interface AuthorizationRow {
  id: string
  source_id: string
  status: AuthorizationStatus
  /** Why it failed. */
  message: string | null
  /** The hash of what the person comes back with. */
  state_hash: string
  /** Sealed JSON of the configuration, and of what ends the exchange. */
  sealed: string
  created_by: string
  created_at: string
  /** When it is forgotten. */
  expires_ms: number
}

export const authorizationMigrations: readonly Migration[] = [
  {
    id: 'integration/002-authorizations',
    async up(db, type) {
      await db.schema
        .createTable('integration_authorizations')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('source_id', type.text, (column) => column.notNull())
        .addColumn('status', type.text, (column) => column.notNull())
        .addColumn('message', type.text)
        .addColumn('state_hash', type.text, (column) => column.notNull().unique())
        .addColumn('sealed', type.text, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('expires_ms', type.integer, (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('integration_authorizations_by_end')
        .on('integration_authorizations')
        .column('expires_ms')
        .execute()
    }
  }
]
