import assert from 'node:assert/strict'
import type { RunRow } from '../../../src/areas/scheduler/migrations.ts'
import { AREAS } from '../../../src/areas.ts'
import { toIso } from '../../../src/engines/clock.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { eventually } from '../eventually.ts'
import { ManualClock } from '../manual-clock.ts'
import { Probe } from './probe.ts'

const STEP_MS = 2000
/** How many runs are caught up on at once. */
const RECOVERIES = 4

/** A platform whose clock stands still until a test moves it, with schedules that a probe hears of. */
export class Scheduled {
  readonly clock: ManualClock
  readonly probe: Probe
  readonly app: TestApp

  private constructor(clock: ManualClock, probe: Probe, app: TestApp) {
    this.clock = clock
    this.probe = probe
    this.app = app
  }

  static async start(at = '2026-03-27T00:00:00.000Z'): Promise<Scheduled> {
    const clock = new ManualClock(at)
    const probe = new Probe()
    const world = new Scheduled(clock, probe, await startTestApp({ clock, areas: [...AREAS, probe.area] }))
    await world.#rest()
    return world
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async call(method: string, path: string, body?: unknown, status = 200): Promise<any> {
    // A new token each time: the clock may have moved by a week.
    const as = { token: await this.app.token('ada', 'editor') }
    const answer = await this.app.call(method, `/api/scheduler${path}`, { as, body })
    assert.equal(answer.status, status, answer.text)
    return answer.body
  }

  create(body: object) {
    return this.call('POST', '/schedules', { target: { type: 'probe' }, ...body }, 201)
  }

  /** All rows of a schedule in the order of their due times. */
  rows(scheduleId: string): Promise<RunRow[]> {
    const { db } = this.app.platform.metadata
    const rows = db.selectFrom('schedule_runs').selectAll().where('schedule_id', '=', scheduleId)
    return rows.orderBy('due_at').orderBy('id').execute()
  }

  /** `00:01 succeeded`, one for each row. */
  async story(scheduleId: string): Promise<string[]> {
    return (await this.rows(scheduleId)).map(
      ({ due_at, state, code, kind }) =>
        `${due_at.slice(11, 16)} ${state}${code === null ? '' : ` ${code}`}${kind === 'due' ? '' : ` (${kind})`}`
    )
  }

  /** Lets time pass, and waits until nothing more happens by itself. */
  async pass(seconds: number): Promise<void> {
    // While something is under way, in small steps: a process that stands still for longer loses its leases.
    const stepMs = this.probe.held.length > 0 ? STEP_MS : 1000 * seconds
    if (stepMs > STEP_MS) await this.#rest()
    for (let leftMs = 1000 * seconds; leftMs > 0; leftMs -= stepMs) {
      this.clock.advance(Math.min(leftMs, stepMs))
      await this.settle()
    }
  }

  /** Waits until no job is under way, those of other areas included: a leap of the clock would take their leases. */
  async #rest(): Promise<void> {
    const running = this.app.platform.metadata.db.selectFrom('jobs').select('id').where('state', '=', 'running')
    await eventually(async () => (await running.execute()).length === 0)
  }

  /** No server was there for so long. */
  async outage(seconds: number): Promise<void> {
    this.clock.correct(1000 * seconds)
    await this.pass(1)
  }

  /** Waits until everything that is due was decided, and every run that can begin or end has. */
  async settle(): Promise<void> {
    const service = await this.app.app.service('scheduler')
    this.app.platform.jobs.wake()
    await eventually(async () => {
      await service.tick()
      if (await this.#isLeaseShort()) this.#passTimers()
      return (await this.#busy()) === 0
    })
  }

  /** Schedules that are due and jobs that are to be done now, but for those that a probe holds. */
  async #busy(): Promise<number> {
    const { db } = this.app.platform.metadata
    const now = toIso(this.clock.now())
    // First what is due: it becomes jobs, and would not be seen if it did so in between.
    const due = await db.selectFrom('schedules').select('id').where('next_fire_at', '<=', now).execute()
    const jobs = await db
      .selectFrom('jobs')
      .select(['payload', 'kind', 'state'])
      .where('kind', 'in', ['scheduler.run', 'scheduler.call', 'scheduler.recover', 'scheduler.account'])
      .where('finished_at', 'is', null)
      .where('run_at', '<=', now)
      .execute()
    const held = new Set(this.probe.held.map(({ runId }) => runId))
    const runOf = ({ payload }: { payload: string }) => (JSON.parse(payload) as { runId?: string }).runId ?? ''
    const recovering = jobs.filter((job) => job.kind === 'scheduler.recover' && held.has(runOf(job))).length
    const waiting = jobs.filter((job) => {
      const hasNoPlace = job.kind === 'scheduler.recover' && job.state === 'queued' && recovering === RECOVERIES
      return !hasNoPlace && !held.has(runOf(job))
    })
    return due.length + waiting.length + Number(await this.#isLeaseShort())
  }

  /** Whether a lease would not outlast the next step. */
  async #isLeaseShort(): Promise<boolean> {
    const running = this.app.platform.metadata.db.selectFrom('jobs').select('id').where('state', '=', 'running')
    const short = await running.where('lease_until', '<', toIso(this.clock.now() + 2 * STEP_MS)).execute()
    return short.length > 0
  }

  /** Has timers fire, such as those that renew leases, while it stays as late as it is. */
  #passTimers(): void {
    this.clock.advance(250)
    this.clock.correct(-250)
  }

  close(): Promise<void> {
    return this.app.close()
  }
}
