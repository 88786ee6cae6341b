import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import { cancelRun, cancelRuns } from '../carrying/cancel.ts'
import { jobOf } from '../carrying/run-order.ts'
import { Problem } from '../errors.ts'
import { OPEN_STATES, type RunRow, type ScheduleRow } from '../migrations.ts'
import { findSchedule, lockSchedule } from '../schedules/store.ts'
import { newRun } from './new-run.ts'
import type { RunQuery, ScheduleRun } from './schema.ts'
import * as store from './store.ts'
import { toRun } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
}

/** The history of schedules, and runs by hand. */
export class ScheduleRuns {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: RunQuery, scheduleId?: string) {
    const { db } = this.#needs.metadata
    const { runs, total, nextCursor } = await store.listRuns(db, atTimes(query), scheduleId)
    if (scheduleId !== undefined && runs.length === 0) await orNotFound(findSchedule(db, scheduleId))
    return { runs: runs.map(toRun), total, nextCursor }
  }

  async get(scheduleId: string, runId: string): Promise<ScheduleRun> {
    const run = await orNotFound(store.findRunInHand(this.#needs.metadata.db, runId))
    if (run.schedule_id !== scheduleId) throw new Problem('not_found')
    return toRun(run)
  }

  /** Runs a schedule now, whether it is paused or not, by its overlap rule. */
  async runNow(tx: Db, actor: Actor, scheduleId: string): Promise<Outcome<ScheduleRun>> {
    const { clock, makeId, jobs } = this.#needs
    const schedule = await orNotFound(lockSchedule(tx, scheduleId))
    const active = schedule.overlap === 'allow' ? undefined : await store.findActive(tx, scheduleId)
    if (active !== undefined && schedule.overlap === 'skip') throw busy(active)
    if (active !== undefined && schedule.overlap === 'cancel') await cancelRuns(this.#needs, tx, scheduleId)
    const run = newRun(makeId, clock, { scheduleId, dueAt: clock.iso(), kind: 'manual', askedBy: actor.id })
    if (active === undefined) {
      const [jobId] = await jobs.enqueueAll(tx, [jobOf(schedule, run, clock.iso())])
      run.job_id = jobId as string
    } else {
      run.code = 'waits'
      run.reason = `Waits for the run ${active.id} to end`
    }
    await store.insertRuns(tx, [run])
    return this.#outcome(tx, run.id, schedule)
  }

  async cancel(tx: Db, actor: Actor, scheduleId: string, runId: string): Promise<Outcome<ScheduleRun>> {
    const schedule = await orNotFound(lockSchedule(tx, scheduleId))
    const run = await orNotFound(store.lockRun(tx, runId))
    if (run.schedule_id !== scheduleId) throw new Problem('not_found')
    if (!(OPEN_STATES as readonly string[]).includes(run.state)) {
      throw new Problem('run_ended', {
        detail: `The run is ${run.state}; only one that is queued or running can be cancelled.`,
        members: { currentState: run.state, allowedFrom: OPEN_STATES }
      })
    }
    if (run.cancel === null) {
      await cancelRun(this.#needs, tx, run, { code: 'cancelled', reason: `Cancelled by ${actor.name}` })
    }
    return this.#outcome(tx, runId, schedule)
  }

  async #outcome(tx: Db, runId: string, { id }: ScheduleRow): Promise<Outcome<ScheduleRun>> {
    const answer = toRun(await orNotFound(store.findRunInHand(tx, runId)))
    const change = { type: 'schedule-run', id: runId, after: answer, event: { scheduleId: id } } as const
    return { answer, changes: [change] }
  }
}

function busy({ id, state, job_id }: RunRow): Problem {
  const shown = job_id === null ? state : 'under way or about to be'
  return new Problem('schedule_busy', {
    detail: `The run ${id} is ${shown}, and overlap is skip. Wait for it to end, cancel it, or choose another overlap.`,
    members: { runId: id, state }
  })
}

/** Times are compared as text, so they need the form in which they are kept. */
function atTimes(query: RunQuery): RunQuery {
  return {
    ...query,
    ...(query.from !== undefined && { from: toIso(Date.parse(query.from)) }),
    ...(query.to !== undefined && { to: toIso(Date.parse(query.to)) })
  }
}
