import type { Db } from './index.ts'

/**
 * Waits until no other transaction has locked one of these names, and keeps them until this one ends. Those who share a name
 * keep out only those who want it alone. On SQLite one transaction runs at a time, and nobody has to wait.
 */
export async function lockNames(tx: Db, names: readonly string[], how: 'alone' | 'shared'): Promise<void> {
  if (names.length === 0) return
  // Loaded long ago by whoever opened the database; what declares areas must not load it.
  const { PostgresAdapter, sql } = await import('kysely')
  if (!(tx.getExecutor().adapter instanceof PostgresAdapter)) return
  const lock = sql.raw(how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')
  // In one order everywhere, so that no two transactions wait for each other.
  await sql`select ${lock}(hashtextextended(name, 0)) from unnest(${names.toSorted()}::text[]) as names(name)`.execute(
    tx
  )
}
