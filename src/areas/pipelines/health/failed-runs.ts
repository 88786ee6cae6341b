import type { Happening } from '../../../area.ts'
import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'

/** One more than alert rules take. */
const LIMIT = 1001
/** Runs are looked for so much further back than the last look: one may be committed later than it ended. */
const OVERLAP_MS = 60_000

/** Pipelines that have failed, and those of which a run has failed since the last look though they run again. */
export async function failedRuns(
  db: Db,
  cursor: string | null,
  nowMs: number
): Promise<{ happenings: Happening[]; cursor: string }> {
  const failed = await db
    .selectFrom('pipelines')
    .select(['id', 'name'])
    .where('status', '=', 'failed')
    .limit(LIMIT)
    .execute()
  const since = cursor === null ? [] : await failedSince(db, cursor)
  const pipelines = new Map([...failed, ...since].map(({ id, name }) => [id, name]))
  return {
    happenings: [...pipelines].map(([pipeline, pipelineName]) => ({ pipeline, pipelineName })),
    cursor: toIso(nowMs - OVERLAP_MS)
  }
}

const failedSince = (db: Db, since: string) =>
  db
    .selectFrom('pipeline_runs')
    .innerJoin('pipelines', 'pipelines.id', 'pipeline_runs.pipeline_id')
    .select(['pipelines.id', 'pipelines.name'])
    .where('pipeline_runs.status', '=', 'failed')
    .where('pipeline_runs.ended_at', '>', since)
    .limit(LIMIT)
    .execute()
