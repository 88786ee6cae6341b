import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Metadata, Migration } from './index.ts'

interface MigrationsTable {
  migrations: { id: string; applied_at: string }
}

/**
 * PostgreSQL sorts text by the rules of a language unless told otherwise, so every text column gets the collation
 * "C".
 */
const COLUMN_TYPES: Record<Metadata['dialect'], ColumnTypes> = {
  sqlite: { text: 'text', integer: 'bigint' },
  postgres: { text: sql`text collate "C"` as unknown as 'text', integer: 'bigint' }
}

const LOCK = 7_294_118_003 // any number that nothing else in the same database uses

export async function runMigrations(
  metadata: Pick<Metadata, 'dialect' | 'transaction'>,
  migrations: readonly Migration[]
): Promise<void> {
  const ids = new Set(migrations.map(({ id }) => id))
  if (ids.size !== migrations.length) throw new Error('Two migrations have the same id')
  const type = COLUMN_TYPES[metadata.dialect]

  await metadata.transaction(async (tx) => {
    const db = tx as unknown as Kysely<MigrationsTable>
    if (metadata.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db)
    await db.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('id', type.text, (column) => column.primaryKey())
      .addColumn('applied_at', type.text, (column) => column.notNull())
      .execute()
    const applied = new Set((await db.selectFrom('migrations').select('id').execute()).map(({ id }) => id))
    for (const migration of migrations) {
      if (applied.has(migration.id)) continue
      await migration.up(tx as unknown as Kysely<unknown>, type)
      await db.insertInto('migrations').values({ id: migration.id, applied_at: new Date().toISOString() }).execute()
    }
  })
}
