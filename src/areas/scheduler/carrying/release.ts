import type { Clock } from '../../../engines/clock.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { ScheduleRow } from '../migrations.ts'
import { findActive, findThoseWaiting, findWaiting, updateRun } from '../runs/store.ts'
import { jobOf } from './run-order.ts'

interface Needs {
  readonly clock: Clock
  readonly jobs: Jobs
}

/**
 * Begins what waits its turn, where nothing of the schedule is under way. The caller has locked the schedule: two that
 * end at once must not both begin the next.
 */
export async function release({ clock, jobs }: Needs, tx: Db, schedule: ScheduleRow): Promise<boolean> {
  const waiting = await findWaiting(tx, schedule.id)
  if (waiting === undefined || (await findActive(tx, schedule.id)) !== undefined) return false
  const [job_id] = await jobs.enqueueAll(tx, [jobOf(schedule, waiting, clock.iso())])
  const waited = waiting.code === 'waits' ? { code: null, reason: null } : {}
  await updateRun(tx, waiting.id, { job_id: job_id as string, ...waited })
  return true
}

/** The same for many; answers the ids of those of which something begins. Mostly nothing waits, which one question tells. */
export async function releaseAll(
  needs: Needs,
  tx: Db,
  schedules: readonly ScheduleRow[]
): Promise<ReadonlySet<string>> {
  const waiting = await findThoseWaiting(
    tx,
    schedules.map(({ id }) => id)
  )
  const begun = new Set<string>()
  for (const schedule of schedules) {
    if (waiting.has(schedule.id) && (await release(needs, tx, schedule))) begun.add(schedule.id)
  }
  return begun
}
