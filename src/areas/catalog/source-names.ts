import type { Db } from '../../engines/metadata/index.ts'

/** What sources are called, by their identifiers; they keep their names until the end of the transaction. */
export async function sourceNames(tx: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const query = tx.selectFrom('catalog_sources').select(['id', 'name']).where('id', 'in', ids)
  const rows = await query.orderBy('id').forUpdate().execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
