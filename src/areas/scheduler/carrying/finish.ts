import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { AuditTrail } from '../../../http/audit-trail.ts'
import { type Change, recordChanges } from '../../../http/changes.ts'
import { nextStamps } from '../../../http/rows.ts'
import { MAX_REASON_CHARS, MAX_RETRY_DELAY_S } from '../limits.ts'
import type { RunRow, RunState, ScheduleRow } from '../migrations.ts'
import { endRun, updateRun } from '../runs/store.ts'
import type { Pause } from '../schedules/schema.ts'
import { countRun, lockSchedule, updateSchedule } from '../schedules/store.ts'
import { toBareSchedule } from '../schedules/view.ts'
import { release } from './release.ts'
import { jobOf } from './run-order.ts'

export interface FinishNeeds {
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly audit: AuditTrail
}

/** How an attempt ended. */
export interface AttemptEnd {
  readonly state: Extract<RunState, 'succeeded' | 'failed' | 'timedOut' | 'cancelled'>
  readonly code: string | null
  readonly reason: string | null
  /** Whether another attempt can't do better. */
  readonly isFinal: boolean
  /** How long to wait for another attempt at least. */
  readonly retryAfterMs?: number
  readonly startedAt?: string
  readonly logs?: readonly string[]
}

/** What is to be told once the end is committed. */
export interface Finished {
  readonly run: RunRow
  readonly scheduleName: string
  readonly changes: readonly Change[]
  /** Whether the run is over; otherwise it is tried again. */
  readonly isOver: boolean
  /** Whether a job was added. */
  readonly isNext: boolean
}

/** Writes down how an attempt at a run ended: it is tried again, or over, and then the next one may begin. */
export async function finishAttempt(needs: FinishNeeds, tx: Db, run: RunRow, end: AttemptEnd): Promise<Finished> {
  const schedule = (await lockSchedule(tx, run.schedule_id)) as ScheduleRow
  const attempts = run.attempts + 1
  const attempted = {
    attempts,
    reason: end.reason?.slice(0, MAX_REASON_CHARS).toWellFormed() ?? null,
    code: end.code,
    started_at: run.started_at ?? end.startedAt ?? null,
    logs: logsOf(run, end)
  }
  const canBeTried = end.state === 'failed' || end.state === 'timedOut'
  if (canBeTried && !end.isFinal && attempts <= schedule.retries) {
    const delayMs = Math.max(backOffMs(schedule, attempts), end.retryAfterMs ?? 0)
    const change = await tryAgain(needs, tx, schedule, run, Math.min(delayMs, 1000 * MAX_RETRY_DELAY_S))
    await updateRun(tx, run.id, { ...attempted, ...change })
    return {
      run: { ...run, ...attempted, ...change },
      scheduleName: schedule.name,
      changes: [],
      isOver: false,
      isNext: true
    }
  }
  const over = { ...attempted, state: end.state, job_id: null, next_attempt_at: null, finished_at: needs.clock.iso() }
  const ended = { ...run, ...over }
  await endRun(tx, ended)
  const changes = await account(needs, tx, schedule, ended)
  const isNext = await release(needs, tx, schedule)
  return { run: ended, scheduleName: schedule.name, changes, isOver: true, isNext }
}

function logsOf({ logs }: RunRow, end: AttemptEnd): string | null {
  return end.logs === undefined || end.logs.length === 0 ? logs : JSON.stringify(end.logs)
}

const backOffMs = ({ retry_delay_seconds }: ScheduleRow, attempts: number) =>
  1000 * retry_delay_seconds * 2 ** (attempts - 1)

async function tryAgain(
  { clock, jobs }: FinishNeeds,
  tx: Db,
  schedule: ScheduleRow,
  run: RunRow,
  delayMs: number
): Promise<Partial<RunRow>> {
  const runAt = toIso(clock.now() + delayMs)
  const [job_id] = await jobs.enqueueAll(tx, [jobOf(schedule, run, runAt)])
  return { state: 'queued', job_id: job_id as string, next_attempt_at: runAt, link: null, timeout_at: null }
}

/** Counts failures in a row, and pauses the schedule when there are as many as it allows. */
async function account(needs: FinishNeeds, tx: Db, schedule: ScheduleRow, run: RunRow): Promise<Change[]> {
  const isFailure = run.state === 'failed' || run.state === 'timedOut'
  const failures = isFailure ? schedule.failures + 1 : run.state === 'succeeded' ? 0 : schedule.failures
  const counted = { failures, last_run_id: run.id }
  const limit = schedule.pause_after_failures
  if (limit === null || failures < limit || schedule.enabled === 0 || !isFailure) {
    await countRun(tx, { id: schedule.id, ...counted })
    return []
  }
  const { clock, audit } = needs
  const lasting = failures === 1 ? 'A run failed' : `${failures} runs failed one after the other; the last one`
  const note = `${lasting}: ${run.reason ?? run.code}`
  const pause: Pause = { at: clock.iso(), by: null, cause: 'failures', note }
  const change = { ...counted, enabled: 0, pause: JSON.stringify(pause), ...nextStamps(schedule, clock) }
  await updateSchedule(tx, schedule.id, change)
  const changes: Change[] = [
    {
      type: 'schedule',
      id: schedule.id,
      before: toBareSchedule(schedule),
      after: toBareSchedule({ ...schedule, ...change })
    }
  ]
  const cause = { user: null, apiKey: null, action: 'schedule.pause', status: 200, ip: '', userAgent: null }
  await recordChanges(tx, audit, changes, { ...cause, requestId: '' })
  return changes
}
