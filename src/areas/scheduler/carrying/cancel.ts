import type { Clock } from '../../../engines/clock.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { RunRow } from '../migrations.ts'
import { lockOpen, updateRun } from '../runs/store.ts'

interface Needs {
  readonly clock: Clock
  readonly jobs: Jobs
}

export interface CancelCause {
  readonly code: string
  readonly reason: string
}

const BY_LATER: CancelCause = { code: 'overlap', reason: 'Cancelled, since a later due time came (overlap is cancel)' }

/** Has everything end that is open of a schedule, for a due time that takes its place. */
export async function cancelRuns(needs: Needs, tx: Db, scheduleId: string): Promise<void> {
  for (const run of await lockOpen(tx, scheduleId)) await cancelRun(needs, tx, run, BY_LATER)
}

/**
 * Has a run end. What waits ends at once. What a job has in hand ends when the job has, and what goes on by itself when
 * its target says so: until then it is under way, and the watch looks after it.
 */
export async function cancelRun({ clock, jobs }: Needs, tx: Db, run: RunRow, cause: CancelCause): Promise<void> {
  const isWaiting = run.job_id === null && run.state === 'queued'
  if (isWaiting) {
    await updateRun(tx, run.id, { state: 'cancelled', ...cause, finished_at: clock.iso() })
    return
  }
  await updateRun(tx, run.id, { cancel: JSON.stringify(cause) })
  if (run.job_id !== null) await jobs.cancel(tx, run.job_id)
}
