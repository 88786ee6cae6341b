import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { BaselineRow } from '../migrations.ts'
import type { BaselineQuery } from './schema.ts'

export const findBaseline = (db: Db, id: string): Promise<BaselineRow | undefined> =>
  db.selectFrom('quality_baselines').selectAll().where('id', '=', id).executeTakeFirst()

export const insertBaseline = (tx: Db, row: BaselineRow) => tx.insertInto('quality_baselines').values(row).execute()

export const deleteBaseline = (tx: Db, id: string) => tx.deleteFrom('quality_baselines').where('id', '=', id).execute()

/** Deletes the baseline that a rule has made for itself. */
export const deleteBaselineOf = (tx: Db, ruleId: string) =>
  tx.deleteFrom('quality_baselines').where('rule_id', '=', ruleId).execute()

/** Writes what a rule has learned, where it has no baseline of its own yet. */
export const insertFirstBaseline = (tx: Db, row: BaselineRow) =>
  tx
    .insertInto('quality_baselines')
    .values(row)
    .onConflict((conflict) => conflict.column('rule_id').doNothing())
    .execute()

export async function countBaselines(db: Db, dataset: string): Promise<number> {
  const { baselines } = await db
    .selectFrom('quality_baselines')
    .select((eb) => eb.fn.countAll<number>().as('baselines'))
    .where('dataset', '=', dataset)
    .where('rule_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(baselines)
}

/** Baselines by their ids, and those that rules have made for themselves. */
export function findBaselines(db: Db, ids: readonly string[], ruleIds: readonly string[]): Promise<BaselineRow[]> {
  return db
    .selectFrom('quality_baselines')
    .selectAll()
    .where((eb) => eb.or([eb('id', 'in', [...ids, '']), eb('rule_id', 'in', [...ruleIds, ''])]))
    .execute()
}

export function listBaselines(db: Db, query: BaselineQuery) {
  let select = db.selectFrom('quality_baselines').selectAll()
  if (query.dataset !== undefined) select = select.where('dataset', '=', query.dataset)
  if (query.column !== undefined) select = select.where('column_name', '=', query.column)
  if (query.ruleId !== undefined) select = select.where('rule_id', '=', query.ruleId)
  return fetchPage(select, query, { sorts: { createdAt: 'id' }, id: 'id', defaultSort: '-createdAt' })
}
