import { sql } from 'kysely'
import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { ResultRow } from '../migrations.ts'
import type { ResultQuery } from './schema.ts'

const ROWS_AT_ONCE = 100

export async function insertResults(tx: Db, rows: readonly ResultRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await tx
      .insertInto('quality_results')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute()
  }
}

export const findResult = (db: Db, id: string): Promise<ResultRow | undefined> =>
  db.selectFrom('quality_results').selectAll().where('id', '=', id).executeTakeFirst()

export interface Between {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export function listResults(db: Db, query: ResultQuery, { from, to }: Between) {
  let select = db.selectFrom('quality_results').selectAll()
  if (query.ruleId !== undefined) select = select.where('rule_id', '=', query.ruleId)
  if (query.evaluationId !== undefined) select = select.where('evaluation_id', '=', query.evaluationId)
  if (query.dataset !== undefined) select = select.where('dataset', '=', query.dataset)
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  if (from !== undefined) select = select.where('evaluated_at', '>=', from)
  if (to !== undefined) select = select.where('evaluated_at', '<', to)
  return fetchPage(select, query, { sorts: { evaluatedAt: 'evaluated_at' }, id: 'id', defaultSort: '-evaluatedAt' })
}

/** Deletes some that are older than a time; answers how many. The last result of a rule stays, however old. */
export async function deleteOldResults(tx: Db, before: string, limit: number): Promise<number> {
  const old = tx
    .selectFrom('quality_results')
    .select('id')
    .where('evaluated_at', '<', before)
    .where('id', 'not in', tx.selectFrom('quality_rules').select(sql<string>`coalesce(result_id, '')`.as('id')))
    .orderBy('evaluated_at')
    .limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('quality_results').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteOldScores(tx: Db, before: string, limit: number): Promise<number> {
  const old = tx
    .selectFrom('quality_scores')
    .select('id')
    .where('is_newest', '=', 0)
    .where('at', '<', before)
    .orderBy('at')
    .limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('quality_scores').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
