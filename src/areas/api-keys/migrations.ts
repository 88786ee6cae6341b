import type { Role } from '../../engines/identity/index.ts'
import type { Migration } from '../../engines/metadata/index.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    api_keys: ApiKeyRow
    api_keys_revoked: RevokedKeyRow
  }
}

export interface ApiKeyRow {
  id: string
  owner_id: string
  name: string
  role: Role
  /** JSON array; null where the role is not narrowed. */
  scopes: string | null
  hash: string
  /** The first characters, by which people recognise a key. */
  hint: string
  expires_at: string | null
  last_used_at: string | null
  created_at: string
  /** The API key that this one was made with: it is revoked together with that one. Null where a user made it. */
  made_with: string | null
}

/** What is kept of a revoked key, for the audit trail to name it when somebody still calls with it. */
export interface RevokedKeyRow {
  hash: string
  id: string
  owner_id: string
  name: string
  revoked_at: string
}

export const apiKeyMigrations: readonly Migration[] = [
  {
    id: 'api-keys/001-api-keys',
    async up(db, type) {
      await db.schema
        .createTable('api_keys')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('owner_id', type.text, (column) => column.notNull().references('users.id'))
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('role', type.text, (column) => column.notNull())
        .addColumn('scopes', type.text)
        .addColumn('hash', type.text, (column) => column.notNull().unique())
        .addColumn('hint', type.text, (column) => column.notNull())
        .addColumn('expires_at', type.text)
        .addColumn('last_used_at', type.text)
        .addColumn('created_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('api_keys_owner').on('api_keys').columns(['owner_id', 'id']).execute()
    }
  },
  {
    id: 'api-keys/002-made-with',
    async up(db, type) {
      await db.schema.alterTable('api_keys').addColumn('made_with', type.text).execute()
      await db.schema.createIndex('api_keys_made_with').on('api_keys').column('made_with').execute()
    }
  },
  {
    id: 'api-keys/003-revoked',
    async up(db, type) {
      await db.schema
        .createTable('api_keys_revoked')
        .addColumn('hash', type.text, (column) => column.primaryKey())
        .addColumn('id', type.text, (column) => column.notNull())
        .addColumn('owner_id', type.text, (column) => column.notNull().references('users.id'))
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('revoked_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('api_keys_revoked_at').on('api_keys_revoked').column('revoked_at').execute()
    }
  }
]
