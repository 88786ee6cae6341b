import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { AuditTrail } from '../../../http/audit-trail.ts'
import { type Change, recordChanges } from '../../../http/changes.ts'
import { nextStamps } from '../../../http/rows.ts'
import type { TargetLineage } from '../../../schedule-target.ts'
import { MAX_REASON_CHARS, MAX_RETRY_DELAY_S } from '../limits.ts'
import type { RunRow, RunState, ScheduleRow } from '../migrations.ts'
import { writeAttempts } from '../runs/store.ts'
import type { Pause } from '../schedules/schema.ts'
import { countRuns, lockSchedules, updateSchedule } from '../schedules/store.ts'
import { toBareSchedule } from '../schedules/view.ts'
import { type LineageTeller, sightingsOf } from './lineage.ts'
import { releaseAll } from './release.ts'
import { jobOf } from './run-order.ts'

export interface FinishNeeds {
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly audit: AuditTrail
  /** Loaded before a transaction begins in which something is told. */
  lineage(): Promise<LineageTeller>
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
  /** What the lineage is told of; undefined where its target tells it nothing. */
  readonly lineage?: TargetLineage
  /** Whether the lineage was told of it when it began. */
  readonly hasBegun?: boolean
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

/** An attempt at a run that has ended; the run as it is in the database. */
interface Ended {
  readonly run: RunRow
  readonly end: AttemptEnd
}

/** Writes down how an attempt at a run ended: it is tried again, or over, and then the next one may begin. */
export async function finishAttempt(needs: FinishNeeds, tx: Db, run: RunRow, end: AttemptEnd): Promise<Finished> {
  const schedules = await lockSchedules(tx, [run.schedule_id])
  return (await finishAttempts(needs, tx, schedules, [{ run, end }]))[0] as Finished
}

/** The same for many; the caller has locked the runs and these schedules of theirs. */
export async function finishAttempts(
  needs: FinishNeeds,
  tx: Db,
  locked: ReadonlyMap<string, ScheduleRow>,
  ended: readonly Ended[]
): Promise<Finished[]> {
  if (ended.length === 0) return []
  const schedules = new Map(locked)
  const scheduleOf = ({ schedule_id }: RunRow) => schedules.get(schedule_id) as ScheduleRow
  const attempts = ended.map((one) => judge(needs, scheduleOf(one.run), one))
  const again = attempts.filter(({ isOver }) => !isOver)
  const jobIds = await needs.jobs.enqueueAll(
    tx,
    again.map(({ run }) => jobOf(scheduleOf(run), run, run.next_attempt_at as string))
  )
  for (const [at, { run }] of again.entries()) run.job_id = jobIds[at] as string
  await writeAttempts(
    tx,
    attempts.map(({ run }) => run)
  )
  const changes = new Map<RunRow, Change[]>()
  for (const { run, isOver } of attempts) {
    if (!isOver) continue
    // Of several runs of one schedule, each counts on from the one before.
    const { schedule, changed } = await account(needs, tx, scheduleOf(run), run)
    schedules.set(schedule.id, schedule)
    changes.set(run, changed)
  }
  const seen = attempts.flatMap(({ run, isOver }, at) => {
    const { lineage, hasBegun = false } = (ended[at] as Ended).end
    return isOver && lineage !== undefined ? sightingsOf(scheduleOf(run), run, lineage, hasBegun) : []
  })
  if (seen.length > 0) await (await needs.lineage()).saw(tx, seen)
  const over = new Set([...changes.keys()].map((run) => run.schedule_id))
  await countRuns(
    tx,
    [...over].map((id) => schedules.get(id) as ScheduleRow)
  )
  const begun = await releaseAll(
    needs,
    tx,
    [...over].map((id) => schedules.get(id) as ScheduleRow)
  )
  return attempts.map(({ run, isOver }) => ({
    run,
    scheduleName: scheduleOf(run).name,
    changes: changes.get(run) ?? [],
    isOver,
    isNext: !isOver || begun.has(run.schedule_id)
  }))
}

/** The run as it is from now on: over, or waiting for a job that tries it again. */
function judge({ clock }: FinishNeeds, schedule: ScheduleRow, { run, end }: Ended): { run: RunRow; isOver: boolean } {
  const attempted = {
    ...run,
    attempts: run.attempts + 1,
    reason: end.reason?.slice(0, MAX_REASON_CHARS).toWellFormed() ?? null,
    code: end.code,
    started_at: run.started_at ?? end.startedAt ?? null,
    logs: logsOf(run, end),
    job_id: null
  }
  const canBeTried = end.state === 'failed' || end.state === 'timedOut'
  if (canBeTried && !end.isFinal && attempted.attempts <= schedule.retries) {
    const delayMs = Math.max(backOffMs(schedule, attempted.attempts), end.retryAfterMs ?? 0)
    const next_attempt_at = toIso(clock.now() + Math.min(delayMs, 1000 * MAX_RETRY_DELAY_S))
    return { run: { ...attempted, state: 'queued', next_attempt_at, link: null, timeout_at: null }, isOver: false }
  }
  return { run: { ...attempted, state: end.state, next_attempt_at: null, finished_at: clock.iso() }, isOver: true }
}

function logsOf({ logs }: RunRow, end: AttemptEnd): string | null {
  return end.logs === undefined || end.logs.length === 0 ? logs : JSON.stringify(end.logs)
}

const backOffMs = ({ retry_delay_seconds }: ScheduleRow, attempts: number) =>
  1000 * retry_delay_seconds * 2 ** (attempts - 1)

/** Counts failures in a row, which the caller writes down, and pauses the schedule when there are as many as it allows. */
async function account(
  needs: FinishNeeds,
  tx: Db,
  schedule: ScheduleRow,
  run: RunRow
): Promise<{ schedule: ScheduleRow; changed: Change[] }> {
  const isFailure = run.state === 'failed' || run.state === 'timedOut'
  const failures = isFailure ? schedule.failures + 1 : run.state === 'succeeded' ? 0 : schedule.failures
  const counted = { failures, last_run_id: run.id }
  const limit = schedule.pause_after_failures
  if (limit === null || failures < limit || schedule.enabled === 0 || !isFailure) {
    return { schedule: { ...schedule, ...counted }, changed: [] }
  }
  const { clock, audit } = needs
  const lasting = failures === 1 ? 'A run failed' : `${failures} runs failed one after the other; the last one`
  const note = `${lasting}: ${run.reason ?? run.code}`
  const pause: Pause = { at: clock.iso(), by: null, cause: 'failures', note }
  const change = { ...counted, enabled: 0, pause: JSON.stringify(pause), ...nextStamps(schedule, clock) }
  await updateSchedule(tx, schedule.id, change)
  const paused = { ...schedule, ...change }
  const changed: Change[] = [
    { type: 'schedule', id: schedule.id, before: toBareSchedule(schedule), after: toBareSchedule(paused) }
  ]
  const cause = { user: null, apiKey: null, action: 'schedule.pause', status: 200, ip: '', userAgent: null }
  await recordChanges(tx, audit, changed, { ...cause, requestId: '' })
  return { schedule: paused, changed }
}
