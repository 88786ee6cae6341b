import type { NewJob } from '../../../engines/jobs/index.ts'
import type { RunRow, ScheduleRow } from '../migrations.ts'

/** What a job of a run says. */
export interface RunOrder {
  readonly runId: string
}

/** A process that dies with it each time is not the run's fault, but has to end some time. */
const MAX_TAKEOVERS = 20
/** The run's own limit comes first; this one is for a worker that does not heed it. */
const GRACE_MS = 60_000
/** How long a call may wait for its turn, which does not count for the run's own limit. */
const TURN_MS = 3_600_000

/**
 * The job that carries out a run. Recoveries are of a kind of their own, so that they never stand in the way, and so are
 * calls, of which many more can be under way at once.
 */
export function jobOf(
  schedule: Pick<ScheduleRow, 'timeout_seconds' | 'target_type'>,
  run: Pick<RunRow, 'id' | 'kind' | 'caught_up'>,
  runAt: string
): NewJob {
  const payload: RunOrder = { runId: run.id }
  const isRecovery = run.kind === 'backfill' || run.caught_up === 1
  const isCall = schedule.target_type === 'http'
  const longestMs = 1000 * schedule.timeout_seconds + GRACE_MS + (isCall ? TURN_MS : 0)
  return {
    kind: isRecovery ? 'scheduler.recover' : isCall ? 'scheduler.call' : 'scheduler.run',
    payload,
    runAt,
    maxAttempts: MAX_TAKEOVERS,
    timeoutMs: Math.min(longestMs, 2 ** 31 - 1)
  }
}
