import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import { release } from '../carrying/release.ts'
import { jobOf } from '../carrying/run-order.ts'
import { invalidField, Problem } from '../errors.ts'
import { MAX_BACKFILL } from '../limits.ts'
import type { ScheduleRow } from '../migrations.ts'
import { findSchedule, lockSchedule } from '../schedules/store.ts'
import type { Timetables } from '../schedules/timing.ts'
import { newRun } from './new-run.ts'
import type { Backfill, BackfillBody } from './schema.ts'
import { insertRuns } from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly timetables: Timetables
}

/** Due times that are looked for before others get their turn. */
const STEP = 500
/** Due times that are looked at, those that are left out included. */
const MAX_LOOKED_AT = 10 * MAX_BACKFILL
const SHOWN = 100

/** The due times that a backfill is about. */
export interface Wanted {
  readonly dueTimes: readonly string[]
  readonly leftOut: number
}

/** Runs due times of a stretch of time, also those that have run: what a target does it does for that due time. */
export class Backfills {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Looks for the due times, which can take a while and so happens outside the transaction. */
  async find(scheduleId: string, { from, to, only = 'missing' }: BackfillBody): Promise<Wanted> {
    const { metadata, timetables, clock } = this.#needs
    const schedule = await orNotFound(findSchedule(metadata.db, scheduleId))
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
    if (toMs <= fromMs) throw invalidField('/to', 'must be after from')
    if (toMs > clock.now()) throw invalidField('/to', 'must not be in the future: what is due then runs by itself')
    const done =
      only === 'all' ? new Set<string>() : await succeeded(metadata.db, scheduleId, toIso(fromMs), toIso(toMs))
    const timetable = timetables.of(schedule)
    const dueTimes: string[] = []
    let count = 0
    let leftOut = 0
    for (let due = timetable.next(fromMs - 1); due !== undefined && due.atMs < toMs; due = timetable.next(due.atMs)) {
      const at = toIso(due.atMs)
      if (due.excluded !== undefined || done.has(at)) leftOut += 1
      else if (count++ < MAX_BACKFILL) dueTimes.push(at)
      if (count + leftOut > MAX_LOOKED_AT) throw tooMany(`more than ${inWords(MAX_LOOKED_AT)}`)
      if ((count + leftOut) % STEP === 0) await turn()
    }
    if (count > MAX_BACKFILL) throw tooMany(inWords(count), count)
    return { dueTimes, leftOut }
  }

  dryRun({ dueTimes, leftOut }: Wanted): Backfill {
    return { id: null, dryRun: true, count: dueTimes.length, leftOut, dueTimes: dueTimes.slice(0, SHOWN) }
  }

  async begin(
    tx: Db,
    actor: Actor,
    scheduleId: string,
    body: BackfillBody,
    wanted: Wanted
  ): Promise<Outcome<Backfill>> {
    const { makeId, clock } = this.#needs
    const schedule = await orNotFound(lockSchedule(tx, scheduleId))
    const id = makeId('bf')
    const runs = wanted.dueTimes.map((dueAt) =>
      newRun(makeId, clock, { scheduleId, dueAt, kind: 'backfill', backfillId: id, askedBy: actor.id })
    )
    if (body.overlap === 'allow') await this.#beginAll(tx, schedule, runs)
    await insertRuns(tx, runs)
    if (body.overlap !== 'allow') await release(this.#needs, tx, schedule)
    const answer: Backfill = { ...this.dryRun(wanted), id, dryRun: false }
    const after = { ...answer, scheduleId, from: body.from, to: body.to, dueTimes: answer.dueTimes.length }
    return { answer, changes: [{ type: 'schedule-backfill', id, after, event: { scheduleId } }] }
  }

  async #beginAll(tx: Db, schedule: ScheduleRow, runs: ReturnType<typeof newRun>[]): Promise<void> {
    const { jobs, clock } = this.#needs
    const ids = await jobs.enqueueAll(
      tx,
      runs.map((run) => jobOf(schedule, run, clock.iso()))
    )
    for (const [at, run] of runs.entries()) run.job_id = ids[at] as string
  }
}

function tooMany(said: string, count?: number): Problem {
  return new Problem('too_many_due_times', {
    detail: `There are ${said} due times between from and to, and a backfill takes at most ${inWords(MAX_BACKFILL)}. Ask for a shorter time.`,
    members: { ...(count !== undefined && { count }), limit: MAX_BACKFILL }
  })
}

const inWords = (count: number) => count.toLocaleString('en')

/** The due times that have a run that succeeded. */
async function succeeded(db: Db, scheduleId: string, from: string, to: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('schedule_runs')
    .select('due_at')
    .where('schedule_id', '=', scheduleId)
    .where('due_at', '>=', from)
    .where('due_at', '<', to)
    .where('state', '=', 'succeeded')
    .limit(MAX_LOOKED_AT)
    .execute()
  return new Set(rows.map(({ due_at }) => due_at))
}
