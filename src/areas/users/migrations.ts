import type { Migration } from '../../engines/metadata/index.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    users: UserRow
  }
}

export interface UserRow {
  id: string
  issuer: string
  subject: string
  email: string | null
  name: string
  /** JSON array of the roles in the last token. */
  roles: string
  disabled: number
  version: number
  created_at: string
  last_seen_at: string
}

export const userMigrations: readonly Migration[] = [
  {
    id: 'users/001-users',
    async up(db, type) {
      await db.schema
        .createTable('users')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('issuer', type.text, (column) => column.notNull())
        .addColumn('subject', type.text, (column) => column.notNull())
        .addColumn('email', type.text)
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('roles', type.text, (column) => column.notNull())
        .addColumn('disabled', type.integer, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('last_seen_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('users_subject').unique().on('users').columns(['issuer', 'subject']).execute()
      await db.schema.createIndex('users_name').on('users').columns(['name', 'id']).execute()
    }
  }
]
