import type { Bus } from '../../../engines/bus/index.ts'
import { type Clock, toIso } from '../../../engines/clock.ts'
import type { RunningJob, Worker } from '../../../engines/jobs/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { wait } from '../../../engines/timing.ts'
import { Problem } from '../../../errors.ts'
import { type Cause, recordChanges, tellChanges } from '../../../http/changes.ts'
import { can } from '../../../http/permissions.ts'
import type { TargetResult, TargetRun } from '../../../schedule-target.ts'
import type { Users } from '../../users/index.ts'
import { LOOK_EVERY_MS, MAX_LINE_CHARS, MAX_LOG_LINES, RECOVERY_HOLDS_MS } from '../limits.ts'
import type { RunRow, ScheduleRow } from '../migrations.ts'
import { findRun, lockRun, updateRun } from '../runs/store.ts'
import { findSchedule } from '../schedules/store.ts'
import type { Targets } from '../schedules/targets.ts'
import type { Timetables } from '../schedules/timing.ts'
import { tell } from './ended.ts'
import { type AttemptEnd, type FinishNeeds, finishAttempt } from './finish.ts'
import type { RunOrder } from './run-order.ts'

export interface CarryNeeds extends FinishNeeds {
  readonly metadata: Metadata
  readonly targets: Targets
  readonly timetables: Timetables
  readonly bus: Bus
  readonly log: Log
  users(): Promise<Users>
  onError(error: unknown): void
}

type Owner = { readonly id: string; readonly name: string }

/** Carries out one attempt at a run. */
export function carryOut(needs: CarryNeeds): Worker<RunOrder> {
  return async (job) => {
    const { metadata, clock } = needs
    const run = await findRun(metadata.db, job.payload.runId)
    if (run === undefined || run.job_id !== job.id) return
    const schedule = await findSchedule(metadata.db, run.schedule_id)
    if (schedule === undefined) return
    const startedAt = clock.iso()
    const logs = new RunLog(clock, run.logs)
    if (job.attempt > 1) logs.add('An earlier attempt was cut off, because the server ended; this one begins again')
    const limit = timeLimit(clock, schedule, job.signal)
    const result = await attempt(needs, { job, run, schedule, logs, signal: limit.signal }).finally(limit.end)
    // Whoever stopped the job, or took it over, says what becomes of the run.
    if (job.signal.aborted) throw job.signal.reason
    const finished = await job.commit(async (tx) => {
      const now = await lockRun(tx, run.id)
      // The schedule was deleted meanwhile.
      if (now === undefined) return undefined
      if (result.outcome === 'goes-on') {
        await updateRun(tx, run.id, goingOn(schedule, now, startedAt, clock, logs))
        return undefined
      }
      const end = limit.isOver() ? timedOut(schedule) : endOf(result)
      return finishAttempt(needs, tx, now, { ...end, startedAt, logs: logs.lines })
    })
    if (finished !== undefined) tell(needs, finished)
  }
}

function goingOn(schedule: ScheduleRow, run: RunRow, startedAt: string, clock: Clock, logs: RunLog): Partial<RunRow> {
  return {
    state: 'running',
    job_id: null,
    next_attempt_at: null,
    started_at: run.started_at ?? startedAt,
    timeout_at: toIso(clock.now() + 1000 * schedule.timeout_seconds),
    logs: JSON.stringify(logs.lines)
  }
}

export function endOf(result: Exclude<TargetResult, { outcome: 'goes-on' }>): AttemptEnd {
  if (result.outcome === 'succeeded') {
    return { state: 'succeeded', code: null, reason: result.message ?? null, isFinal: true }
  }
  const { outcome, code, message, isFinal = false, retryAfterMs = 0 } = result
  return { state: outcome, code, reason: message, isFinal, retryAfterMs }
}

function timedOut({ timeout_seconds }: Pick<ScheduleRow, 'timeout_seconds'>): AttemptEnd {
  const reason = `It had not ended after ${timeout_seconds} s (timeoutSeconds)`
  return { state: 'timedOut', code: 'timeout', reason, isFinal: false }
}

interface Attempt {
  readonly job: RunningJob<RunOrder>
  readonly run: RunRow
  readonly schedule: ScheduleRow
  readonly logs: RunLog
  readonly signal: AbortSignal
}

async function attempt(needs: CarryNeeds, at: Attempt): Promise<TargetResult> {
  const { schedule } = at
  try {
    const target = await needs.targets.find(schedule.target_type)
    if (target === undefined) {
      const message = `This server offers no target of type ${schedule.target_type}; change the schedule`
      return { outcome: 'failed', code: 'unknown_target', message, isFinal: true }
    }
    const owner = await (await needs.users()).owner(schedule.owner_id)
    const actor = owner && { ...owner, scopes: undefined, apiKeyId: undefined }
    const lacking = target.permissions.find((permission) => actor === undefined || !can(actor, permission))
    if (actor === undefined || lacking !== undefined) {
      const message = `The owner of the schedule ${actor === undefined ? 'is disabled' : `may not do this any more (${lacking})`}; have somebody who may change the schedule`
      return { outcome: 'failed', code: 'owner_may_not', message, isFinal: true }
    }
    return await target.run(targetRun(needs, at, actor))
  } catch (error) {
    if (at.signal.aborted) return { outcome: 'failed', code: 'aborted', message: 'It was stopped' }
    if (error instanceof Problem) return { outcome: 'failed', code: error.code, message: error.detail }
    needs.onError(error)
    const message = 'Something unforeseen went wrong; the log of the server has it'
    return { outcome: 'failed', code: 'internal', message }
  }
}

function targetRun(needs: CarryNeeds, { job, run, schedule, logs, signal }: Attempt, owner: Owner): TargetRun {
  return {
    ...needs.targets.orderOf(schedule),
    runId: run.id,
    scheduleId: schedule.id,
    scheduleName: schedule.name,
    dueAt: run.due_at,
    // Most targets do not ask, and to find it out takes longer than all else here.
    get previousDueAt() {
      const before = needs.timetables.dueBefore(schedule, run.due_at)
      // What the timetable says of the time before there was a schedule has never run; a backfill is about that time.
      return before !== null && before <= schedule.created_at && run.kind !== 'backfill' ? null : before
    },
    attempt: run.attempts + 1,
    link: run.link,
    owner: { id: owner.id, name: owner.name },
    signal,
    log: (line) => logs.add(line),
    async change(work) {
      const outcome = await job.commit(async (tx: Db) => {
        let link: string | undefined
        const outcome = await work(tx, (noted) => {
          link = noted
        })
        if (link !== undefined) await updateRun(tx, run.id, { link })
        await recordChanges(tx, needs.audit, outcome.changes, causeOf(owner, schedule))
        return outcome
      })
      tellChanges(needs.bus, outcome.changes)
      return outcome.answer
    }
  }
}

function causeOf({ id, name }: Owner, schedule: ScheduleRow): Cause {
  const action = 'schedule.run'
  return { user: { id, name }, apiKey: null, action, status: 200, ip: '', userAgent: null, requestId: schedule.id }
}

/** The lines of a run, the last of them where there are many. */
class RunLog {
  readonly #clock: Clock
  readonly lines: string[]

  constructor(clock: Clock, before: string | null) {
    this.#clock = clock
    this.lines = before === null ? [] : (JSON.parse(before) as string[])
  }

  add(line: string): void {
    this.lines.push(`${this.#clock.iso()} ${line.slice(0, MAX_LINE_CHARS).toWellFormed()}`)
    if (this.lines.length > MAX_LOG_LINES) this.lines.shift()
  }
}

/**
 * Carries out a run that is caught up on. The job lasts as long as the run does, also where that goes on by itself: there
 * are few of these jobs at once, so that recovery is no stampede.
 */
export function recover(needs: CarryNeeds): Worker<RunOrder> {
  const carry = carryOut(needs)
  return async (job) => {
    await carry(job as never)
    const { metadata, clock } = needs
    const untilMs = clock.elapsed() + RECOVERY_HOLDS_MS
    while (!job.signal.aborted && clock.elapsed() < untilMs) {
      if ((await findRun(metadata.db, job.payload.runId))?.state !== 'running') return
      await wait(clock, LOOK_EVERY_MS)
    }
  }
}

/** A signal that aborts with another one, and when an attempt has taken as long as it may. */
function timeLimit(clock: Clock, { timeout_seconds }: ScheduleRow, outer: AbortSignal) {
  const limit = new AbortController()
  const cancel = clock.after(1000 * timeout_seconds, () => limit.abort(new Error('The time limit of the run is over')))
  return {
    signal: AbortSignal.any([outer, limit.signal]),
    isOver: () => limit.signal.aborted,
    end: cancel
  }
}
