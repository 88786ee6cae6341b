import { sql } from 'kysely'
import type { Db } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { RunRow } from '../migrations.ts'
import type { Run } from './run.ts'
import type { RunQuery } from './schema.ts'

/** When a run was heard of that is over: before all times, so that it is listed no more and goes with those of processes that are gone. */
const OVER = ''

/** Writes how far runs are; answers what is known of them, and so which are to end. Who cancelled them is not touched. */
export async function writeRuns(
  tx: Db,
  owner: string,
  runs: readonly Run[],
  now: string
): Promise<Pick<RunRow, 'id' | 'cancelled_name'>[]> {
  for (const { facts, startedAt, progress } of runs) {
    const changing = { progress: JSON.stringify(progress), seen_at: now }
    const { id, kind, dataset, cause, startedBy } = facts
    const row = { id, owner, kind, dataset, cause, started_by: startedBy, started_at: startedAt, ...changing }
    await tx
      .insertInto('quality_runs')
      .values({ ...row, cancelled_by: null, cancelled_name: null, cancelled_at: null })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
      .execute()
  }
  return tx
    .selectFrom('quality_runs')
    .select(['id', 'cancelled_name'])
    .where('owner', '=', owner)
    .where('cancelled_by', 'is not', null)
    .where('seen_at', '!=', OVER)
    .execute()
}

/** Its row stays for a while, to tell whoever would cancel it that it is over. */
export const endRun = (tx: Db, id: string) =>
  tx.updateTable('quality_runs').set({ seen_at: OVER }).where('id', '=', id).execute()

/** Those that are over, and those of processes that are gone. */
export async function deleteSilentRuns(tx: Db, before: string, limit: number): Promise<number> {
  const silent = tx.selectFrom('quality_runs').select('id').where('seen_at', '<', before).limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('quality_runs').where('id', 'in', silent).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Those that were heard of since a time. */
export function listRuns(db: Db, query: RunQuery, since: string) {
  let select = db.selectFrom('quality_runs').selectAll().where('seen_at', '>=', since)
  if (query.dataset !== undefined) select = select.where('dataset', '=', query.dataset)
  if (query.kind !== undefined) select = select.where('kind', '=', query.kind)
  return fetchPage(select, query, { sorts: { startedAt: 'started_at' }, id: 'id', defaultSort: 'startedAt' })
}

export const findRun = (db: Db, id: string, since: string): Promise<RunRow | undefined> =>
  db.selectFrom('quality_runs').selectAll().where('id', '=', id).where('seen_at', '>=', since).executeTakeFirst()

/** Whatever became of it; undefined where it never was, or nobody knows any more. */
export const findEndedRun = (db: Db, id: string): Promise<RunRow | undefined> =>
  db.selectFrom('quality_runs').selectAll().where('id', '=', id).executeTakeFirst()

/** Notes who has cancelled a run, if nobody has before. */
export const noteCancelled = (tx: Db, id: string, by: { readonly id: string; readonly name: string }, now: string) =>
  tx
    .updateTable('quality_runs')
    .set({ cancelled_by: by.id, cancelled_name: by.name, cancelled_at: now })
    .where('id', '=', id)
    .where('cancelled_by', 'is', null)
    .execute()

export async function hasResults(db: Db, evaluationId: string): Promise<boolean> {
  const found = await db
    .selectFrom('quality_results')
    .select(sql`1`.as('found'))
    .where('evaluation_id', '=', evaluationId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
