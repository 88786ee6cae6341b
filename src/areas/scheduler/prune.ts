import { type Clock, toIso } from '../../engines/clock.ts'
import type { Worker } from '../../engines/jobs/index.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { MAX_HISTORY } from './limits.ts'

const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 1000

/** Deletes rows of the history that are old, or that are more than a schedule keeps. */
export function pruneHistory(clock: Clock, historyDays: number): Worker<null> {
  return async (job) => {
    const before = toIso(clock.now() - historyDays * DAY_MS)
    while ((await job.commit((tx) => deleteOld(tx, before))) > 0) job.signal.throwIfAborted()
    for (let after = ''; ; ) {
      const crowded = await job.commit((tx) => crowdedSchedules(tx, after))
      for (const id of crowded) {
        while ((await job.commit((tx) => deleteMore(tx, id))) > 0) job.signal.throwIfAborted()
      }
      const last = crowded.at(-1)
      if (last === undefined) return
      after = last
    }
  }
}

async function deleteOld(tx: Db, before: string): Promise<number> {
  const old = tx.selectFrom('schedule_runs').select('id').where('finished_at', '<', before).limit(ROWS_AT_ONCE)
  const { numDeletedRows } = await tx.deleteFrom('schedule_runs').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Schedules with more rows than they keep, a few at a time. */
async function crowdedSchedules(tx: Db, after: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('schedule_runs')
    .select('schedule_id')
    .where('schedule_id', '>', after)
    .groupBy('schedule_id')
    .having((eb) => eb.fn.countAll(), '>', MAX_HISTORY)
    .orderBy('schedule_id')
    .limit(100)
    .execute()
  return rows.map(({ schedule_id }) => schedule_id)
}

async function deleteMore(tx: Db, scheduleId: string): Promise<number> {
  const limit = await tx
    .selectFrom('schedule_runs')
    .select('due_at')
    .where('schedule_id', '=', scheduleId)
    .orderBy('due_at', 'desc')
    .offset(MAX_HISTORY)
    .limit(1)
    .executeTakeFirst()
  if (limit === undefined) return 0
  const more = tx
    .selectFrom('schedule_runs')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('due_at', '<=', limit.due_at)
    .where('finished_at', 'is not', null)
    .limit(ROWS_AT_ONCE)
  const { numDeletedRows } = await tx.deleteFrom('schedule_runs').where('id', 'in', more).executeTakeFirst()
  return Number(numDeletedRows)
}
