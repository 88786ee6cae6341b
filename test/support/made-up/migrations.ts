import type { Kysely } from 'kysely'
import type { Migration } from '../../../src/engines/metadata/index.ts'

declare module '../../../src/engines/metadata/index.ts' {
  interface Tables {
    things: { id: string; name: string; polished: number }
  }
}

export const thingMigrations: readonly Migration[] = [
  {
    id: 'things/001-things',
    async up(db: Kysely<unknown>, type) {
      await db.schema
        .createTable('things')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('polished', type.integer, (column) => column.notNull())
        .execute()
    }
  }
]
