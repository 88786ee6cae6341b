import type { Bus } from '../../../engines/bus/index.ts'
import { type Clock, toIso } from '../../../engines/clock.ts'
import { CONCLUDED, type RunningJob, type Worker } from '../../../engines/jobs/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { wait } from '../../../engines/timing.ts'
import { together } from '../../../engines/together.ts'
import { Problem } from '../../../errors.ts'
import { can } from '../../../http/permissions.ts'
import type { TargetResult } from '../../../schedule-target.ts'
import type { Users } from '../../users/index.ts'
import { LOOK_EVERY_MS, MAX_LINE_CHARS, MAX_LOG_LINES, RECOVERY_HOLDS_MS } from '../limits.ts'
import type { RunRow, ScheduleRow } from '../migrations.ts'
import { findRun, findRuns, lockRun, updateRun } from '../runs/store.ts'
import { findSchedules } from '../schedules/store.ts'
import type { Targets } from '../schedules/targets.ts'
import type { Timetables } from '../schedules/timing.ts'
import { DueRun } from './due-run.ts'
import type { Endings } from './endings.ts'
import type { AttemptEnd, FinishNeeds } from './finish.ts'
import { LevelsBehind, NOTHING_SEEN } from './lineage.ts'
import type { RunOrder } from './run-order.ts'

export interface CarryNeeds extends FinishNeeds {
  readonly metadata: Metadata
  readonly targets: Targets
  readonly timetables: Timetables
  readonly bus: Bus
  readonly log: Log
  readonly endings: Endings
  users(): Promise<Users>
  /** Has levels of secrecy follow the lineage; answers whether they do. */
  settle(): Promise<boolean>
  onError(error: unknown): void
}

/** Carries out one attempt at a run. */
export function carryOut(needs: CarryNeeds): Worker<RunOrder> {
  const { metadata, clock, endings } = needs
  // Jobs that were taken together begin in the same turn.
  const findOrdered = together((ids) => findRuns(metadata.db, ids))
  const findTheirs = together((ids) => findSchedules(metadata.db, ids))
  const findOwner = together(async (ids) => {
    const users = await needs.users()
    return new Map(await Promise.all(ids.map(async (id) => [id, await users.owner(id)] as const)))
  })
  return async (job) => {
    const run = await findOrdered(job.payload.runId)
    if (run === undefined || run.job_id !== job.id) return
    const schedule = await findTheirs(run.schedule_id)
    if (schedule === undefined) return
    const logs = new RunLog(clock, run.logs)
    if (job.attempt > 1) logs.add('An earlier attempt was cut off, because the server ended; this one begins again')
    const time = new AttemptTime(clock, schedule, job.signal)
    const at: Attempt = { job, run, schedule, findOwner, logs, time, hasBegun: false }
    const result = await attempt(needs, at).finally(() => time.end())
    // Whoever stopped the job, or took it over, says what becomes of the run.
    if (job.signal.aborted) throw job.signal.reason
    if (result.outcome === 'goes-on') {
      await job.commit(async (tx) => {
        const now = await lockRun(tx, run.id)
        // Otherwise the schedule was deleted meanwhile.
        if (now !== undefined) await updateRun(tx, run.id, goingOn(schedule, now, time.startedAt, clock, logs))
      })
      return
    }
    const end = time.isOver ? timedOut(schedule) : endOf(result)
    const told = await telling(needs, schedule.target_type, end)
    const ended = { ...told, startedAt: time.startedAt, logs: logs.lines, hasBegun: at.hasBegun }
    await endings.add({ lease: job.lease, runId: run.id, scheduleId: schedule.id, end: ended })
    return CONCLUDED
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
    const { message = null, lineage } = result
    return { state: 'succeeded', code: null, reason: message, isFinal: true, ...(lineage && { lineage }) }
  }
  const { outcome, code, message, isFinal = false, retryAfterMs = 0 } = result
  return { state: outcome, code, reason: message, isFinal, retryAfterMs }
}

function timedOut({ timeout_seconds }: Pick<ScheduleRow, 'timeout_seconds'>): AttemptEnd {
  const reason = `It had not ended after ${timeout_seconds} s (timeoutSeconds)`
  return { state: 'timedOut', code: 'timeout', reason, isFinal: false }
}

/** An end with what the lineage is told of it, which is loaded for it. */
export async function telling(
  { targets, lineage }: Pick<CarryNeeds, 'targets' | 'lineage'>,
  type: string,
  end: AttemptEnd
): Promise<AttemptEnd> {
  if (!(await targets.tellsLineage(type))) return end
  await lineage()
  return { lineage: NOTHING_SEEN, ...end }
}

export interface Attempt {
  readonly job: RunningJob<RunOrder>
  readonly run: RunRow
  readonly schedule: ScheduleRow
  readonly findOwner: Users['owner']
  readonly logs: RunLog
  readonly time: AttemptTime
  /** Whether the lineage was told what it reads and writes. */
  hasBegun: boolean
}

async function attempt(needs: CarryNeeds, at: Attempt): Promise<TargetResult> {
  const { job, schedule, time } = at
  try {
    const target = await needs.targets.find(schedule.target_type)
    if (target === undefined) {
      const message = `This server offers no target of type ${schedule.target_type}; change the schedule`
      return { outcome: 'failed', code: 'unknown_target', message, isFinal: true }
    }
    const owner = await at.findOwner(schedule.owner_id)
    const actor = owner && { ...owner, scopes: undefined, apiKeyId: undefined }
    const lacking = target.permissions.find((permission) => actor === undefined || !can(actor, permission))
    if (actor === undefined || lacking !== undefined) {
      const message = `The owner of the schedule ${actor === undefined ? 'is disabled' : `may not do this any more (${lacking})`}; have somebody who may change the schedule`
      return { outcome: 'failed', code: 'owner_may_not', message, isFinal: true }
    }
    const order = needs.targets.orderOf(schedule)
    await needs.targets.requireClearance(actor, target, order)
    const leave = await target.turn?.(order, job.signal)
    time.begin()
    try {
      return await target.run(new DueRun(needs, at, order, actor))
    } finally {
      leave?.()
    }
  } catch (error) {
    if (time.signal.aborted) return { outcome: 'failed', code: 'aborted', message: 'It was stopped' }
    if (error instanceof Problem) {
      const isFinal = error.code === 'above_clearance'
      return { outcome: 'failed', code: error.code, message: error.detail, isFinal }
    }
    if (error instanceof LevelsBehind) return { outcome: 'failed', code: error.code, message: error.message }
    needs.onError(error)
    const message = 'Something unforeseen went wrong; the log of the server has it'
    return { outcome: 'failed', code: 'internal', message }
  }
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
    if ((await carry(job as never)) === CONCLUDED) return CONCLUDED
    const { metadata, clock } = needs
    const untilMs = clock.elapsed() + RECOVERY_HOLDS_MS
    while (!job.signal.aborted && clock.elapsed() < untilMs) {
      if ((await findRun(metadata.db, job.payload.runId))?.state !== 'running') return undefined
      await wait(clock, LOOK_EVERY_MS)
    }
  }
}

/** The time that an attempt takes: it is over when the job is stopped, or when it has taken as long as it may. */
class AttemptTime {
  startedAt: string
  isOver = false
  readonly #clock: Clock
  readonly #outer: AbortSignal
  readonly #control = new AbortController()
  readonly #limitMs: number
  readonly #onStop = () => this.#control.abort(this.#outer.reason)
  #cancelTimer = () => {}

  constructor(clock: Clock, { timeout_seconds }: ScheduleRow, outer: AbortSignal) {
    this.#clock = clock
    this.#limitMs = 1000 * timeout_seconds
    this.#outer = outer
    this.startedAt = clock.iso()
    // By hand: there are thousands of these, and composed signals are left to the garbage collector.
    outer.addEventListener('abort', this.#onStop)
    if (outer.aborted) this.#onStop()
  }

  get signal(): AbortSignal {
    return this.#control.signal
  }

  /** To be called when its turn has come: what it has waited for that does not count. */
  begin(): void {
    this.startedAt = this.#clock.iso()
    this.#cancelTimer = this.#clock.after(this.#limitMs, () => {
      this.isOver = true
      this.#control.abort(new Error('The time limit of the run is over'))
    })
  }

  end(): void {
    this.#cancelTimer()
    this.#outer.removeEventListener('abort', this.#onStop)
  }
}
