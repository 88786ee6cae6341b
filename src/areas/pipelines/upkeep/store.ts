import type { Db } from '../../../engines/metadata/index.ts'

/** Rows that one transaction may remove, so that none takes long. */
const AT_ONCE = 1000
const LETTERS_AT_ONCE = 500

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

/** Deletes some of the dead letters that were put through again before then; answers how many. */
export async function deleteOldReplayed(tx: Db, pipelineId: string, before: string): Promise<number> {
  const old = await tx
    .selectFrom('pipeline_dead_letters')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('replayed_at', '<', before)
    .limit(LETTERS_AT_ONCE)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('pipeline_dead_letters').where('id', 'in', ids).execute()
  return ids.length
}

/** But for the last that read its sources: the pipeline goes on from it, however often dead letters were put through since. */
export async function deleteOldRuns(tx: Db, pipelineId: string, kept: number): Promise<number> {
  const last = await tx
    .selectFrom('pipeline_runs')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('replay', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const old = await tx
    .selectFrom('pipeline_runs')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('ended_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(AT_ONCE)
    .offset(kept)
    .execute()
  const ids = old.map(({ id }) => id).filter((id) => id !== last?.id)
  if (ids.length > 0) await tx.deleteFrom('pipeline_runs').where('id', 'in', ids).execute()
  return ids.length
}
