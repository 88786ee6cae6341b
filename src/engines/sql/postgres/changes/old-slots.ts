import type { KnownReader } from '../../changes/index.ts'
import type { PostgresConnection } from '../connection.ts'
import { quoteName } from '../quote.ts'

const MAX_SLOTS = 1000
const SLOTS = `
  SELECT slot_name, active, pg_current_wal_lsn() - restart_lsn
  FROM pg_catalog.pg_replication_slots
  WHERE starts_with(slot_name, $1) AND plugin = 'pgoutput' AND database = current_database()
  ORDER BY slot_name LIMIT ${MAX_SLOTS}`

export async function listSlots(connection: PostgresConnection, prefix: string): Promise<KnownReader[]> {
  const { rows } = await connection.run(SLOTS, [prefix])
  return rows.map(([reader, active, kept]) => ({
    reader: reader as string,
    isActive: active === 't',
    keptBytes: kept == null ? null : Number(kept)
  }))
}

/** Drops the slot and the publication of a reader. */
export async function dropSlot(connection: PostgresConnection, reader: string): Promise<void> {
  const drop = `SELECT pg_drop_replication_slot(slot_name) FROM pg_catalog.pg_replication_slots
    WHERE slot_name = $1 AND database = current_database()`
  await connection.run(drop, [reader])
  await connection.run(`DROP PUBLICATION IF EXISTS ${quoteName(reader)}`)
}
