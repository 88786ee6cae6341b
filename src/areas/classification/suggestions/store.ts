import type { Kind } from '../../../engines/detectors/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { KindRow, ScanRow, SuggestionRow } from '../migrations.ts'
import type { ScanQuery, SuggestionQuery } from './schema.ts'

const ROWS_AT_ONCE = 500

export const listKinds = (db: Db) => db.selectFrom('classification_kinds').selectAll().orderBy('kind').execute()

export const lockKind = (tx: Db, kind: Kind) =>
  tx.selectFrom('classification_kinds').selectAll().where('kind', '=', kind).forUpdate().executeTakeFirst()

export const updateKind = (tx: Db, row: KindRow) =>
  tx.updateTable('classification_kinds').set(row).where('kind', '=', row.kind).execute()

/** Open suggestions follow their kind; those that were decided keep the level that they had then. */
export const relevelOpen = (tx: Db, kind: Kind, level: string) =>
  tx
    .updateTable('classification_suggestions')
    .set({ level })
    .where('kind', '=', kind)
    .where('status', '=', 'open')
    .execute()

export const listSuggestions = (db: Db, query: SuggestionQuery) => {
  let select = db.selectFrom('classification_suggestions').selectAll()
  if (query.resource !== undefined) select = select.where('resource', '=', query.resource)
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  if (query.kind !== undefined) select = select.where('kind', '=', query.kind)
  const sorts = { createdAt: 'id', confidence: 'confidence' } as const
  return fetchPage(select, query, { sorts, id: 'id', integers: ['confidence'] })
}

export const findSuggestion = (db: Db, id: string) =>
  db.selectFrom('classification_suggestions').selectAll().where('id', '=', id).executeTakeFirst()

export const lockSuggestion = (tx: Db, id: string) =>
  tx.selectFrom('classification_suggestions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const lockSuggestionsOf = (tx: Db, resource: string) =>
  tx.selectFrom('classification_suggestions').selectAll().where('resource', '=', resource).forUpdate().execute()

export const insertSuggestion = (tx: Db, row: SuggestionRow) =>
  tx.insertInto('classification_suggestions').values(row).execute()

export const updateSuggestion = (tx: Db, row: SuggestionRow) =>
  tx.updateTable('classification_suggestions').set(row).where('id', '=', row.id).execute()

export const deleteSuggestion = (tx: Db, id: string) =>
  tx.deleteFrom('classification_suggestions').where('id', '=', id).execute()

export const deleteOf = async (tx: Db, resource: string) => {
  await tx.deleteFrom('classification_suggestions').where('resource', '=', resource).execute()
  await tx.deleteFrom('classification_scans').where('resource', '=', resource).execute()
}

/** How often a kind was accepted and rejected for columns whose names have these words. */
export async function countDecisions(db: Db, words: readonly string[]) {
  const counts = []
  for (let from = 0; from < words.length; from += ROWS_AT_ONCE) {
    const found = await db
      .selectFrom('classification_suggestions')
      .select((eb) => ['column_words', 'kind', 'status', eb.fn.countAll<number>().as('decisions')])
      .where('column_words', 'in', words.slice(from, from + ROWS_AT_ONCE))
      .where('status', 'in', ['accepted', 'rejected'])
      .groupBy(['column_words', 'kind', 'status'])
      .execute()
    counts.push(...found)
  }
  return counts
}

/** Locks the scan of a resource, so that looks at the same data are written down one after the other. */
export const lockScan = (tx: Db, resource: string) =>
  tx.selectFrom('classification_scans').selectAll().where('resource', '=', resource).forUpdate().executeTakeFirst()

/** Answers whether it was added: another look at the same data may have been first. */
export async function insertScan(tx: Db, row: ScanRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('classification_scans')
    .values(row)
    .onConflict((conflict) => conflict.column('resource').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) === 1
}

export const updateScan = (tx: Db, row: ScanRow) =>
  tx.updateTable('classification_scans').set(row).where('id', '=', row.id).execute()

export const listScans = (db: Db, query: ScanQuery) => {
  let select = db.selectFrom('classification_scans').selectAll()
  if (query.resource !== undefined) select = select.where('resource', '=', query.resource)
  if (query.failed !== undefined) select = select.where('error_code', query.failed ? 'is not' : 'is', null)
  return fetchPage(select, query, { sorts: { createdAt: 'id', resource: 'resource' }, id: 'id' })
}

/** When each of some resources was last read without an error. */
export async function scannedAt(db: Db, resources: readonly string[]): Promise<Map<string, string>> {
  const times = new Map<string, string>()
  for (let from = 0; from < resources.length; from += ROWS_AT_ONCE) {
    const rows = await db
      .selectFrom('classification_scans')
      .select(['resource', 'updated_at'])
      .where('resource', 'in', resources.slice(from, from + ROWS_AT_ONCE))
      .where('error_code', 'is', null)
      .execute()
    for (const row of rows) times.set(row.resource, row.updated_at)
  }
  return times
}
