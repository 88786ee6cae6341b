import type { Db } from '../../engines/metadata/index.ts'

/** Rows that one transaction removes. */
const AT_ONCE = 1000

export const listIds = async (db: Db, after: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('pipelines')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const listCheckpoints = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('pipeline_checkpoints')
    .select(['pipeline_id', 'checkpoint'])
    .where('pipeline_id', '>', after)
    .orderBy('pipeline_id')
    .limit(limit)
    .execute()

/** All but the newest, some at a time; answers how many went. */
export async function deleteOldLines(tx: Db, pipelineId: string, kept: number): Promise<number> {
  const old = await tx
    .selectFrom('pipeline_logs')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .orderBy('id', 'desc')
    .limit(AT_ONCE)
    .offset(kept)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('pipeline_logs').where('id', 'in', ids).execute()
  return ids.length
}

export async function deleteOldRuns(tx: Db, pipelineId: string, kept: number): Promise<number> {
  const old = await tx
    .selectFrom('pipeline_runs')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('ended_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(AT_ONCE)
    .offset(kept)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('pipeline_runs').where('id', 'in', ids).execute()
  return ids.length
}
