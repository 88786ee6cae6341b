import { sql } from 'kysely'
import { type Db, prepare } from '../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import type { ConnectorRow, ConnectorStreamRow, ConnectorTestRow } from './migrations.ts'
import type { ConnectorQuery, StreamQuery, TestQuery } from './schema.ts'

/** How many tests of a connector are kept. */
const KEPT_TESTS = 100
/** Rows of streams in one statement, which has a limit for its parameters. */
const ROWS_AT_ONCE = 500

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('connectors').selectAll().where('id', '=', id))

export const findConnector = async (db: Db, id: string): Promise<ConnectorRow | undefined> =>
  (await byId(db, { id }))[0]

export const lockConnector = (tx: Db, id: string) =>
  tx.selectFrom('connectors').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertConnector = (tx: Db, row: ConnectorRow) => tx.insertInto('connectors').values(row).execute()

export const updateConnector = (tx: Db, row: ConnectorRow) =>
  tx.updateTable('connectors').set(row).where('id', '=', row.id).execute()

export const deleteConnector = (tx: Db, id: string) => tx.deleteFrom('connectors').where('id', '=', id).execute()

export function listConnectors(db: Db, query: ConnectorQuery) {
  let select = db.selectFrom('connectors').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.sourceId !== undefined) select = select.where('source_id', '=', query.sourceId)
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  return fetchPage(select, query, { sorts: { createdAt: 'id', name: 'name' }, id: 'id' })
}

/** How many streams connectors have, by connector. */
export async function streamCounts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('connector_streams')
    .select(['connector_id', sql<number>`count(*)`.as('streams')])
    .where('connector_id', 'in', ids)
    .groupBy('connector_id')
    .execute()
  return new Map(rows.map(({ connector_id, streams }) => [connector_id, Number(streams)]))
}

/** The connectors whose next test is due, the longest overdue first. */
export const dueForTest = (db: Db, nowMs: number, limit: number) =>
  db
    .selectFrom('connectors')
    .selectAll()
    .where('next_test_ms', '<=', nowMs)
    .orderBy('next_test_ms')
    .limit(limit)
    .execute()

export async function postponeTest(tx: Db, id: string, untilMs: number): Promise<void> {
  await tx.updateTable('connectors').set({ next_test_ms: untilMs }).where('id', '=', id).execute()
}

/** Adds a test, and drops the oldest beyond what is kept. */
export async function insertTest(tx: Db, row: ConnectorTestRow): Promise<void> {
  await tx.insertInto('connector_tests').values(row).execute()
  const [oldest] = await tx
    .selectFrom('connector_tests')
    .select('id')
    .where('connector_id', '=', row.connector_id)
    .orderBy('id', 'desc')
    .offset(KEPT_TESTS - 1)
    .limit(1)
    .execute()
  if (oldest === undefined) return
  await tx
    .deleteFrom('connector_tests')
    .where('connector_id', '=', row.connector_id)
    .where('id', '<', oldest.id)
    .execute()
}

export function listTests(db: Db, connectorId: string, query: TestQuery) {
  const select = db.selectFrom('connector_tests').selectAll().where('connector_id', '=', connectorId)
  return fetchPage(select, query, { sorts: { at: 'id' }, id: 'id', defaultSort: '-at' })
}

export const allStreams = (db: Db, connectorId: string) =>
  db.selectFrom('connector_streams').selectAll().where('connector_id', '=', connectorId).execute()

export async function replaceStreams(tx: Db, connectorId: string, rows: readonly ConnectorStreamRow[]): Promise<void> {
  await tx.deleteFrom('connector_streams').where('connector_id', '=', connectorId).execute()
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await tx
      .insertInto('connector_streams')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute()
  }
}

export function listStreams(db: Db, connectorId: string, query: StreamQuery) {
  let select = db.selectFrom('connector_streams').selectAll().where('connector_id', '=', connectorId)
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  return fetchPage(select, query, { sorts: { name: 'name' }, id: 'name' })
}

/** The stream that somebody means who leaves out the schema, or writes letters in another size. */
export async function meantStream(db: Db, connectorId: string, name: string): Promise<string | undefined> {
  const rows = await db
    .selectFrom('connector_streams')
    .select('name')
    .where('connector_id', '=', connectorId)
    .where(contains('name', name))
    .orderBy('name')
    .limit(MAX_MEANT)
    .execute()
  const wanted = name.toLowerCase()
  const isMeant = (found: string) => found === wanted || found.endsWith(`.${wanted}`)
  return rows.find((row) => isMeant(row.name.toLowerCase()))?.name
}

const MAX_MEANT = 1000

export const findStream = (db: Db, connectorId: string, name: string) =>
  db
    .selectFrom('connector_streams')
    .selectAll()
    .where('connector_id', '=', connectorId)
    .where('name', '=', name)
    .executeTakeFirst()
