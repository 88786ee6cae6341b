import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs, NewJob } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { cancelRuns } from '../carrying/cancel.ts'
import { jobOf } from '../carrying/run-order.ts'
import { DUE_AT_ONCE, ON_TIME_MS, PUT_OFF_MS } from '../limits.ts'
import type { RunRow, ScheduleRow } from '../migrations.ts'
import { newRun } from '../runs/new-run.ts'
import { insertRuns } from '../runs/store.ts'
import { ruleOf, type Timetables } from '../schedules/timing.ts'
import { type Decision, decide, type FiredDue, type UnderWay } from './decide.ts'
import { gather } from './gather.ts'
import { moveOn, type NextDue, underWayOf } from './store.ts'

/** A stretch of time whose due times are still to be accounted for. */
export interface Gap {
  readonly scheduleId: string
  readonly from: string
  /** Due times from here on were decided when the gap was found. */
  readonly to: string
  /** Whether one of those ran: then the last one before is not caught up on. */
  readonly isOneOnTime: boolean
}

export interface HandleNeeds {
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly timetables: Timetables
  onError(error: unknown): void
}

/**
 * Decides the due times of schedules that have come, writes a row for each, and moves the schedules on, in one
 * transaction that has them locked. Answers whether anything is
 * to begin now, and how many due times were missed.
 */
export async function handleDue(
  needs: HandleNeeds,
  tx: Db,
  schedules: readonly ScheduleRow[],
  nowMs = needs.clock.now()
): Promise<{ readonly begins: boolean; readonly missed: number }> {
  const underWay = await underWayOf(
    tx,
    schedules.map(({ id }) => id)
  )
  const handled = schedules.map((schedule) => handleOrPutOff(needs, schedule, underWay(schedule.id), nowMs))
  const gaps = handled.flatMap(({ gap }) => gap ?? [])
  const begins = handled.flatMap(({ schedule, begins }) => begins.map((run) => ({ schedule, run })))
  const jobs = [...begins.map(({ schedule, run }) => jobOf(schedule, run, needs.clock.iso())), ...gaps]
  const jobIds = await needs.jobs.enqueueAll(tx, jobs)
  for (const [at, { run }] of begins.entries()) run.job_id = jobIds[at] as string
  for (const { schedule, cancels } of handled) if (cancels) await cancelRuns(needs, tx, schedule.id)
  // A due time that has a row already, because the clock was put back, keeps that row; a job without a row does nothing.
  await insertRuns(
    tx,
    handled.flatMap(({ runs }) => runs)
  )
  await moveOn(
    tx,
    handled.map(({ schedule, next }) => ({ id: schedule.id, ...next }))
  )
  const missed = handled.flatMap(({ runs }) => runs).filter(({ state }) => state === 'missed').length
  return { begins: jobs.length > 0, missed }
}

interface Handled {
  readonly schedule: ScheduleRow
  readonly runs: readonly RunRow[]
  /** Those of the runs that begin now. */
  readonly begins: readonly RunRow[]
  readonly gap?: NewJob
  readonly cancels: boolean
  readonly next: NextDue
}

/** One schedule that can't be dealt with must not keep the others from their time: it is tried again a minute later. */
function handleOrPutOff(needs: HandleNeeds, schedule: ScheduleRow, underWay: UnderWay, nowMs: number): Handled {
  try {
    return handleOne(needs, schedule, underWay, nowMs)
  } catch (error) {
    needs.onError(new Error(`The due times of schedule ${schedule.id} can't be told`, { cause: error }))
    const next = { ...schedule, next_fire_at: toIso(nowMs + PUT_OFF_MS) }
    return { schedule, runs: [], begins: [], cancels: false, next }
  }
}

function handleOne(needs: HandleNeeds, schedule: ScheduleRow, underWay: UnderWay, nowMs: number): Handled {
  const timetable = needs.timetables.of(schedule)
  const jitter = { seed: schedule.id, jitterSeconds: schedule.jitter_seconds }
  const fromMs = Date.parse(schedule.next_due_at as string)
  const all = gather(timetable, jitter, fromMs, nowMs, DUE_AT_ONCE)
  // Too many at once: those of the last minute are decided now, those before them in the background.
  const onTimeFromMs = nowMs - ON_TIME_MS - 1000 * schedule.jitter_seconds
  const isGap = isDue(all.next, nowMs) && onTimeFromMs > fromMs
  const gathered = isGap ? gather(timetable, jitter, onTimeFromMs, nowMs, DUE_AT_ONCE) : all
  const { dues, next } = gathered
  const { decisions, cancels } = decide(dues, ruleOf(schedule), underWay, nowMs)
  const decided = decisions.map((decision) => ({ decision, run: runOf(needs, schedule, decision) }))
  return {
    schedule,
    runs: decided.map(({ run }) => run),
    begins: decided.flatMap(({ decision, run }) => (decision.state === 'queued' && decision.starts ? [run] : [])),
    ...(isGap && {
      gap: gapJob(
        schedule,
        fromMs,
        onTimeFromMs,
        dues.some(({ excluded }) => excluded === undefined)
      )
    }),
    cancels,
    next: nextOf(schedule, dues.at(-1), next)
  }
}

const isDue = (due: FiredDue | undefined, nowMs: number): boolean => due !== undefined && due.fireMs <= nowMs

function gapJob({ id }: ScheduleRow, fromMs: number, toMs: number, isOneOnTime: boolean): NewJob {
  const payload: Gap = { scheduleId: id, from: toIso(fromMs), to: toIso(toMs), isOneOnTime }
  return { kind: 'scheduler.account', payload, maxAttempts: 20, timeoutMs: 3_600_000 }
}

export function nextOf(schedule: ScheduleRow, last: FiredDue | undefined, next: FiredDue | undefined): NextDue {
  return {
    next_due_at: next === undefined ? null : toIso(next.atMs),
    next_fire_at: next === undefined ? null : toIso(next.fireMs),
    previous_due_at: last === undefined ? schedule.previous_due_at : toIso(last.atMs)
  }
}

export function runOf({ clock, makeId }: HandleNeeds, schedule: ScheduleRow, decision: Decision): RunRow {
  const { due, state, caughtUp } = decision
  const why = 'code' in decision ? decision : decision.why
  return {
    ...newRun(makeId, clock, { scheduleId: schedule.id, dueAt: toIso(due.atMs), kind: 'due' }),
    state,
    caught_up: caughtUp ? 1 : 0,
    code: why?.code ?? null,
    reason: why?.reason ?? null,
    finished_at: state === 'queued' ? null : clock.iso()
  }
}
