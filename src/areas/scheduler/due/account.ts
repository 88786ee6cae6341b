import { setImmediate as turn } from 'node:timers/promises'
import { toIso } from '../../../engines/clock.ts'
import type { RunningJob, Worker } from '../../../engines/jobs/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { MAX_GAP_ROWS } from '../limits.ts'
import type { RunRow, ScheduleRow } from '../migrations.ts'
import { newRun } from '../runs/new-run.ts'
import { insertRuns } from '../runs/store.ts'
import { findSchedule } from '../schedules/store.ts'
import { ruleOf } from '../schedules/timing.ts'
import { type Decision, type FiredDue, passedOver, recovered, whyMissed } from './decide.ts'
import { gather } from './gather.ts'
import { type Gap, type HandleNeeds, runOf } from './handle.ts'

interface Needs extends HandleNeeds {
  readonly metadata: Metadata
  readonly historyDays: number
  readonly log: Log
  /** Begins what waits its turn, where nothing is under way. */
  release(tx: Db, scheduleId: string): Promise<void>
}

/** Due times that are looked for, and written, before others get their turn. */
const STEP = 500
const DAY_MS = 86_400_000

/**
 * Accounts for the due times of a gap: a row for each of the last 10,000, one that sums up those before, and runs for
 * those that are to be caught up on. Done twice, it adds nothing.
 */
export function accountForGaps(needs: Needs): Worker<Gap> {
  return async (job) => {
    const schedule = await findSchedule(needs.metadata.db, job.payload.scheduleId)
    if (schedule === undefined) return
    const nowMs = needs.clock.now()
    // Rows that are older than the history would be deleted at once.
    const fromMs = Math.max(Date.parse(job.payload.from), nowMs - needs.historyDays * DAY_MS)
    const steps = () => stepsOf(needs, schedule, fromMs, job)
    const found = await survey(steps(), schedule)
    const summed = Math.max(0, found.total - MAX_GAP_ROWS)
    let done = 0
    let first: FiredDue | undefined
    let last: FiredDue | undefined
    for await (const dues of steps()) {
      const before = dues.slice(0, Math.max(0, summed - done))
      first ??= before[0]
      last = before.at(-1) ?? last
      const decisions = dues.slice(before.length).map((due) => decideLate(due, found.lastWanted, schedule, job, nowMs))
      done += dues.length
      await job.commit((tx) =>
        insertRuns(
          tx,
          decisions.map((decision) => runOf(needs, schedule, decision))
        )
      )
      job.progress(done / found.total, `${done} of ${found.total} due times accounted for`)
    }
    const rest = first && last ? [sumOf(needs, schedule, first, last, summed)] : []
    await job.commit(async (tx) => {
      await insertRuns(tx, rest)
      await needs.release(tx, schedule.id)
    })
    needs.jobs.wake()
    needs.log.warn(
      { ...job.payload, scheduleName: schedule.name, dueTimes: found.total },
      'a schedule had many due times while no server was there; its history has what became of them'
    )
  }
}

/** How many due times there are, and which is the last that would have run. */
async function survey(steps: AsyncIterable<readonly FiredDue[]>, { enabled }: ScheduleRow) {
  let total = 0
  let lastWanted: number | undefined
  for await (const dues of steps) {
    total += dues.length
    const wanted = enabled === 1 ? dues.findLast(({ excluded }) => excluded === undefined) : undefined
    lastWanted = wanted?.atMs ?? lastWanted
  }
  return { total, lastWanted }
}

async function* stepsOf(
  { timetables }: Needs,
  schedule: ScheduleRow,
  fromMs: number,
  job: RunningJob<Gap>
): AsyncGenerator<readonly FiredDue[]> {
  const timetable = timetables.of(schedule)
  const jitter = { seed: schedule.id, jitterSeconds: schedule.jitter_seconds }
  const endMs = Date.parse(job.payload.to) - 1
  for (let nextMs: number | undefined = fromMs; nextMs !== undefined && nextMs <= endMs; ) {
    job.signal.throwIfAborted()
    // Whose time has come by its jitter does not matter here: all of them are in the past.
    const { dues, next } = gather(timetable, jitter, nextMs, Number.POSITIVE_INFINITY, STEP)
    const within = dues.filter(({ atMs }) => atMs <= endMs)
    if (within.length > 0) yield within
    nextMs = within.length < dues.length ? undefined : next?.atMs
    await turn()
  }
}

function decideLate(
  due: FiredDue,
  lastWanted: number | undefined,
  schedule: ScheduleRow,
  { payload }: RunningJob<Gap>,
  nowMs: number
): Decision {
  const rule = ruleOf(schedule)
  if (due.excluded !== undefined || !rule.enabled) return passedOver(due, rule)
  const isLast = due.atMs === lastWanted && !payload.isOneOnTime
  return whyMissed(due, isLast, rule, nowMs) ?? recovered(due, false)
}

function sumOf(
  { makeId, clock }: Needs,
  schedule: ScheduleRow,
  first: FiredDue,
  last: FiredDue,
  count: number
): RunRow {
  const isPaused = schedule.enabled === 0
  return {
    ...newRun(makeId, clock, { scheduleId: schedule.id, dueAt: toIso(first.atMs), kind: 'due' }),
    state: isPaused ? 'skipped' : 'missed',
    code: isPaused ? 'paused' : 'outage',
    reason: `${count} due times, up to ${toIso(last.atMs)}, came while ${isPaused ? 'the schedule was paused' : 'no server was there to run them'}`,
    finished_at: clock.iso(),
    count,
    due_until: toIso(last.atMs)
  }
}
