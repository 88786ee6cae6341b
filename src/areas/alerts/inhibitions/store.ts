import type { Db } from '../../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import type { InhibitionRow } from '../silences/migrations.ts'
import type { Inhibition, InhibitionQuery } from './schema.ts'

export const findInhibition = (db: Db, id: string): Promise<InhibitionRow | undefined> =>
  db.selectFrom('alert_inhibitions').selectAll().where('id', '=', id).executeTakeFirst()

export const lockInhibition = (tx: Db, id: string): Promise<InhibitionRow | undefined> =>
  tx.selectFrom('alert_inhibitions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertInhibition = (tx: Db, row: InhibitionRow) => tx.insertInto('alert_inhibitions').values(row).execute()

export const updateInhibition = (tx: Db, row: InhibitionRow) =>
  tx.updateTable('alert_inhibitions').set(row).where('id', '=', row.id).execute()

export const deleteInhibition = (tx: Db, id: string) =>
  tx.deleteFrom('alert_inhibitions').where('id', '=', id).execute()

export async function countInhibitions(db: Db): Promise<number> {
  const counting = db.selectFrom('alert_inhibitions').select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await counting.executeTakeFirstOrThrow()).count)
}

export function listInhibitions(db: Db, query: InhibitionQuery) {
  let select = db.selectFrom('alert_inhibitions').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.enabled !== undefined) select = select.where('enabled', '=', query.enabled ? 1 : 0)
  return fetchPage(select, query, { sorts: { name: 'name', createdAt: 'id' }, id: 'id' })
}

export function toInhibition(row: InhibitionRow): Inhibition {
  return {
    id: row.id,
    name: row.name,
    source: JSON.parse(row.source),
    target: JSON.parse(row.target),
    equal: JSON.parse(row.equal),
    enabled: row.enabled === 1,
    createdBy: row.created_by,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}
