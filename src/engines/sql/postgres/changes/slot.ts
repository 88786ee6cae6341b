import { setTimeout as delay } from 'node:timers/promises'
import { BEGIN_ANEW } from '../../changes/index.ts'
import { SqlError } from '../../errors.ts'
import type { PostgresConnection } from '../connection.ts'
import { quoteName, quoteTable } from '../quote.ts'
import type { Lsn } from './pgoutput.ts'
import type { CapturedTable } from './table.ts'

const LOOK_AGAIN_MS = 100

const SLOT = `
  SELECT plugin, database = current_database(), coalesce(wal_status, '') = 'lost', confirmed_flush_lsn - '0/0'::pg_lsn
  FROM pg_catalog.pg_replication_slots WHERE slot_name = $1`
const PUBLISHED = 'SELECT schemaname, tablename FROM pg_catalog.pg_publication_tables WHERE pubname = $1'

/**
 * A slot, which makes the server keep its log from here on, and a publication of the table, both with the name of the reader.
 * What they were before is dropped: nobody who has a position asks for this.
 */
export async function makeSlot(
  connection: PostgresConnection,
  reader: string,
  table: CapturedTable,
  user: string
): Promise<Lsn> {
  const level = await single(connection, 'SHOW wal_level')
  if (level !== 'logical') {
    const advice = "an administrator can run ALTER SYSTEM SET wal_level = 'logical'; and start the server again"
    throw new SqlError('changes_off', `The server does not log what is needed (wal_level is ${level}): ${advice}`)
  }
  try {
    if ((await connection.run(SLOT, [reader])).rows.length > 0)
      await connection.run('SELECT pg_drop_replication_slot($1)', [reader])
    await publish(connection, reader, table)
    const make = "SELECT lsn - '0/0'::pg_lsn FROM pg_create_logical_replication_slot($1, 'pgoutput')"
    const at = BigInt((await single(connection, make, [reader])) as string)
    await untilVisible(connection)
    return at
  } catch (error) {
    if (!(error instanceof SqlError) || error.code !== 'denied') throw error
    throw new SqlError('denied', `${error.message}; an administrator can run: ${grants(reader, table, user)}`)
  }
}

/** Refuses to go on where the server has forgotten what comes after the position. */
export async function requireSlot(connection: PostgresConnection, reader: string, at: Lsn): Promise<void> {
  const [slot] = (await connection.run(SLOT, [reader])).rows
  const lost = (why: string) => new SqlError('position_lost', `${why}, so changes are missing: ${BEGIN_ANEW}`)
  if (slot === undefined) throw lost(`The replication slot ${reader} is gone`)
  const [plugin, isHere, isLost, confirmed] = slot
  if (plugin !== 'pgoutput' || isHere !== 't') throw lost(`The replication slot ${reader} is another's`)
  if (isLost === 't') throw lost(`The server has given up the replication slot ${reader} (max_slot_wal_keep_size)`)
  if (BigInt(confirmed ?? 0) > at) throw lost(`The replication slot ${reader} is further than the position`)
}

async function publish(connection: PostgresConnection, reader: string, { name }: CapturedTable): Promise<void> {
  const { rows } = await connection.run(PUBLISHED, [reader])
  if (rows.length === 1 && rows[0]?.[0] === name[0] && rows[0]?.[1] === name[1]) return
  await connection.run(`DROP PUBLICATION IF EXISTS ${quoteName(reader)}`)
  await connection.run(publication(reader, name))
}

/** Changes of partitions come as those of the whole table. */
const publication = (reader: string, name: CapturedTable['name']) =>
  `CREATE PUBLICATION ${quoteName(reader)} FOR TABLE ${quoteTable(name)} WITH (publish_via_partition_root = true)`

function grants(reader: string, { name }: CapturedTable, user: string): string {
  const [schema] = name
  return [
    `ALTER ROLE ${quoteName(user)} REPLICATION`,
    `GRANT USAGE ON SCHEMA ${quoteName(schema)} TO ${quoteName(user)}`,
    `GRANT SELECT ON ${quoteTable(name)} TO ${quoteName(user)}`,
    `${publication(reader, name)};`
  ].join('; ')
}

/**
 * A transaction is in the log a moment before others see its rows. Whatever has begun by now is waited for, so that reading
 * the rows does not miss what the slot does not have.
 */
async function untilVisible(connection: PostgresConnection): Promise<void> {
  const newest = BigInt((await single(connection, 'SELECT txid_snapshot_xmax(txid_current_snapshot())')) as string)
  for (;;) {
    const oldest = await single(connection, 'SELECT txid_snapshot_xmin(txid_current_snapshot())')
    if (BigInt(oldest as string) >= newest) return
    await delay(LOOK_AGAIN_MS)
  }
}

async function single(connection: PostgresConnection, text: string, values: readonly string[] = []) {
  return (await connection.run(text, values)).rows[0]?.[0] ?? undefined
}
