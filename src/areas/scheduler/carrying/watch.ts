import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { repeat } from '../../../engines/timing.ts'
import { recordChanges, tellChanges } from '../../../http/changes.ts'
import type { ScheduleTarget, TargetEnd } from '../../../schedule-target.ts'
import { CANCEL_LIMIT_MS, LOOK_EVERY_MS } from '../limits.ts'
import type { RunRow } from '../migrations.ts'
import { lockRun, OPEN, updateRun } from '../runs/store.ts'
import type { CancelCause } from './cancel.ts'
import { tell } from './ended.ts'
import { type AttemptEnd, finishAttempt } from './finish.ts'
import { type CarryNeeds, endOf, telling } from './worker.ts'

const AT_ONCE = 500

/** What was written down when somebody wanted a run to end. */
interface Cancel extends CancelCause {
  /** When its target was asked. */
  readonly askedAt?: string
}

/** A run with the type of the target of its schedule. */
interface Going extends RunRow {
  target_type: string
}

/** Looks after runs that no job has in hand: those that go on by themselves, and those whose job has ended without a word. */
export class Watch {
  readonly #needs: CarryNeeds
  #endLooking: (() => Promise<void>) | undefined
  #unsubscribe = () => {}

  constructor(needs: CarryNeeds) {
    this.#needs = needs
  }

  start(): void {
    const look = () => this.look().catch((error) => this.#needs.onError(error))
    this.#endLooking = repeat(this.#needs.clock, LOOK_EVERY_MS, look)
    this.#unsubscribe = this.#needs.bus.subscribe('pipeline-run.ended', () => void look())
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    await this.#endLooking?.()
  }

  async look(): Promise<void> {
    for (const run of await withEndedJobs(this.#needs.metadata.db)) await this.#endLost(run)
    await this.#follow()
  }

  /** The job was cancelled, or given up: nobody else will say so. */
  async #endLost({ id, job_id, target_type }: Going): Promise<void> {
    const { metadata, jobs } = this.#needs
    const { lineage } = await telling(this.#needs, target_type, GIVEN_UP)
    const finished = await metadata.transaction(async (tx) => {
      const run = await lockRun(tx, id)
      if (run === undefined || run.job_id !== job_id || run.finished_at !== null) return undefined
      const job = await jobs.get(tx, job_id as string)
      if (job !== undefined && job.finishedAt === null) return undefined
      const cancel = cancelOf(run)
      const startedAt = job?.startedAt ?? undefined
      const began = { ...(startedAt && { startedAt }), ...(lineage && { lineage }) }
      if (cancel !== undefined) return finishAttempt(this.#needs, tx, run, { ...cancelled(cancel), ...began })
      const reason = `The servers that tried it ended each time${job?.error ? `: ${job.error.message}` : ''}`
      return finishAttempt(this.#needs, tx, run, { ...GIVEN_UP, reason, ...began })
    })
    if (finished !== undefined) tell(this.#needs, finished)
  }

  async #follow(): Promise<void> {
    for (let after = ''; ; ) {
      const runs = await goingOn(this.#needs.metadata.db, after)
      for (const [type, group] of Map.groupBy(runs, ({ target_type }) => target_type)) await this.#ask(type, group)
      if (runs.length < AT_ONCE) return
      after = (runs.at(-1) as Going).id
    }
  }

  async #ask(type: string, runs: readonly Going[]): Promise<void> {
    const target = await this.#needs.targets.find(type)
    const links = runs.flatMap(({ link }) => link ?? [])
    const ended = (await target?.follow?.(this.#needs.metadata.db, links)) ?? new Map<string, TargetEnd>()
    for (const run of runs) {
      const end = run.link === null ? undefined : ended.get(run.link)
      if (end !== undefined) await this.#finish(run, end)
      else await this.#urge(run, target)
    }
  }

  async #finish({ id }: RunRow, end: TargetEnd): Promise<void> {
    await this.#over(id, (run) => {
      const cancel = cancelOf(run)
      // What was asked to end and has succeeded all the same, has succeeded.
      return cancel !== undefined && end.outcome !== 'succeeded' ? cancelled(cancel) : endOf(end)
    })
  }

  async #over(id: string, endOfRun: (run: RunRow) => AttemptEnd): Promise<void> {
    const finished = await this.#needs.metadata.transaction(async (tx) => {
      const run = await lockRun(tx, id)
      return run?.state === 'running' ? finishAttempt(this.#needs, tx, run, endOfRun(run)) : undefined
    })
    if (finished !== undefined) tell(this.#needs, finished)
  }

  /** Has a run end that somebody wants to end, or that has taken as long as it may. */
  async #urge(run: Going, target: ScheduleTarget | undefined): Promise<void> {
    const { clock } = this.#needs
    const isOver = run.timeout_at !== null && run.timeout_at <= clock.iso()
    const cancel = cancelOf(run) ?? (isOver ? TIMEOUT : undefined)
    if (cancel === undefined) return
    if (cancel.askedAt === undefined) await this.#askToEnd(run, target, cancel)
    else if (cancel.askedAt <= toIso(clock.now() - CANCEL_LIMIT_MS)) {
      await this.#over(run.id, () => {
        const end = cancelled(cancel)
        return { ...end, reason: `${end.reason}; asked to, it has not ended yet` }
      })
    }
  }

  async #askToEnd({ id, link }: Going, target: ScheduleTarget | undefined, cancel: Cancel): Promise<void> {
    const { metadata, clock, audit, bus } = this.#needs
    const isMine = await metadata.transaction(async (tx) => {
      const run = await lockRun(tx, id)
      if (run?.state !== 'running' || cancelOf(run)?.askedAt !== undefined) return false
      await updateRun(tx, id, { cancel: JSON.stringify({ ...cancel, askedAt: clock.iso() }) })
      return true
    })
    if (!isMine || link === null || target?.cancel === undefined) return
    const asked = await metadata
      .transaction(async (tx) => {
        const outcome = await target.cancel?.(tx, link)
        const cause = { user: null, apiKey: null, action: 'schedule.cancel', status: 200, ip: '', userAgent: null }
        await recordChanges(tx, audit, outcome?.changes ?? [], { ...cause, requestId: id })
        return outcome?.changes ?? []
      })
      // It may have ended at this moment: then `follow` says so.
      .catch(() => [])
    tellChanges(bus, asked)
  }
}

const GIVEN_UP: AttemptEnd = { state: 'failed', code: 'given_up', reason: null, isFinal: true }
const TIMEOUT: Cancel = { code: 'timeout', reason: 'It had not ended within timeoutSeconds' }

function cancelOf({ cancel }: RunRow): Cancel | undefined {
  return cancel === null ? undefined : (JSON.parse(cancel) as Cancel)
}

function cancelled({ code, reason }: Cancel): AttemptEnd {
  return { state: code === 'timeout' ? 'timedOut' : 'cancelled', code, reason, isFinal: code !== 'timeout' }
}

/** Runs whose job has ended, or is not there any more, and that are open all the same. */
const withEndedJobs = (db: Db): Promise<Going[]> =>
  db
    .selectFrom('schedule_runs')
    .innerJoin('schedules', 'schedules.id', 'schedule_runs.schedule_id')
    .leftJoin('jobs', 'jobs.id', 'schedule_runs.job_id')
    .selectAll('schedule_runs')
    .select('schedules.target_type')
    .where('schedule_runs.job_id', 'is not', null)
    .where('schedule_runs.state', 'in', OPEN)
    .where((eb) => eb.or([eb('jobs.id', 'is', null), eb('jobs.finished_at', 'is not', null)]))
    .orderBy('schedule_runs.id')
    .limit(AT_ONCE)
    .execute()

const goingOn = (db: Db, after: string): Promise<Going[]> =>
  db
    .selectFrom('schedule_runs')
    .innerJoin('schedules', 'schedules.id', 'schedule_runs.schedule_id')
    .selectAll('schedule_runs')
    .select('schedules.target_type')
    .where('schedule_runs.state', '=', 'running')
    .where('schedule_runs.id', '>', after)
    .orderBy('schedule_runs.id')
    .limit(AT_ONCE)
    .execute()
