import type { Db } from '../../../engines/metadata/index.ts'
import { type Cause, recordChanges, tellChanges } from '../../../http/changes.ts'
import type { Outcome } from '../../../http/route.ts'
import type { TargetConfig, TargetLineage, TargetOrder, TargetRun } from '../../../schedule-target.ts'
import type { ScheduleRow } from '../migrations.ts'
import { updateRun } from '../runs/store.ts'
import { beginningOf, LevelsBehind } from './lineage.ts'
import type { Attempt, CarryNeeds } from './worker.ts'

type Owner = { readonly id: string; readonly name: string }

/** An attempt as its target sees it. A class, because an object with a getter of its own takes long to make. */
export class DueRun implements TargetRun {
  readonly id: string | undefined
  readonly config: TargetConfig
  readonly runId: string
  readonly scheduleId: string
  readonly scheduleName: string
  readonly dueAt: string
  readonly attempt: number
  readonly link: string | null
  readonly owner: Owner
  readonly signal: AbortSignal
  readonly #needs: CarryNeeds
  readonly #at: Attempt

  constructor(needs: CarryNeeds, at: Attempt, { id, config }: TargetOrder, owner: Owner) {
    const { run, schedule } = at
    this.id = id
    this.config = config
    this.runId = run.id
    this.scheduleId = schedule.id
    this.scheduleName = schedule.name
    this.dueAt = run.due_at
    this.attempt = run.attempts + 1
    this.link = run.link
    this.owner = { id: owner.id, name: owner.name }
    this.signal = at.time.signal
    this.#needs = needs
    this.#at = at
  }

  /** Most targets do not ask, and to find it out takes longer than all else here. */
  get previousDueAt(): string | null {
    const { schedule, run } = this.#at
    const before = this.#needs.timetables.dueBefore(schedule, run.due_at)
    // What the timetable says of the time before there was a schedule has never run; a backfill is about that time.
    return before !== null && before <= schedule.created_at && run.kind !== 'backfill' ? null : before
  }

  log(line: string): void {
    this.#at.logs.add(line)
  }

  async begin(seen: TargetLineage): Promise<void> {
    const { job, schedule, run, time } = this.#at
    const lineage = await this.#needs.lineage()
    await job.commit((tx: Db) => lineage.saw(tx, [beginningOf(schedule, run, time.startedAt, seen)]))
    this.#at.hasBegun = true
    if (!(await this.#needs.settle())) throw new LevelsBehind()
  }

  async change<T>(work: (tx: Db, note: (link: string) => void) => Promise<Outcome<T>>): Promise<T> {
    const { job, schedule, run } = this.#at
    const outcome = await job.commit(async (tx: Db) => {
      let link: string | undefined
      const outcome = await work(tx, (noted) => {
        link = noted
      })
      if (link !== undefined) await updateRun(tx, run.id, { link })
      await recordChanges(tx, this.#needs.audit, outcome.changes, causeOf(this.owner, schedule))
      return outcome
    })
    tellChanges(this.#needs.bus, outcome.changes)
    return outcome.answer
  }
}

function causeOf({ id, name }: Owner, schedule: ScheduleRow): Cause {
  const action = 'schedule.run'
  return { user: { id, name }, apiKey: null, action, status: 200, ip: '', userAgent: null, requestId: schedule.id }
}
