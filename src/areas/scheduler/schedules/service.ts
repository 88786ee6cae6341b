import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { type Timing, timetableOf } from '../../../engines/timetable/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../../http/rows.ts'
import { cancelRun } from '../carrying/cancel.ts'
import { hasTold, type LineageTeller, tellRemoved } from '../carrying/lineage.ts'
import { nextFired } from '../due/gather.ts'
import { handleDue, nextOf } from '../due/handle.ts'
import type { NextDue } from '../due/store.ts'
import { invalidField, Problem } from '../errors.ts'
import type { ScheduleRow } from '../migrations.ts'
import { newRun } from '../runs/new-run.ts'
import { findRunsInHand, insertRuns, lockOpen } from '../runs/store.ts'
import { requireSomeLeft } from './left.ts'
import type { Pause, Preview, PreviewBody, Schedule, ScheduleCreate, ScheduleQuery, ScheduleUpdate } from './schema.ts'
import * as store from './store.ts'
import type { PreparedTarget, Targets } from './targets.ts'
import type { Timetables } from './timing.ts'
import { requireWindow, timingOf } from './timing-fields.ts'
import { saveUses } from './uses.ts'
import { toBareSchedule, toSchedule } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly targets: Targets
  readonly timetables: Timetables
  lineage(): Promise<LineageTeller>
  onError(error: unknown): void
}

const NEXT_SHOWN = 5
/** Due times that are looked at for those that are not excluded. */
const MAX_LOOKED_AT = 200
const PREVIEWED = 20
const DAY_S = 86_400

/** The target of a schedule that is made or changed, checked before its transaction begins. */
export interface Prepared {
  readonly id: string
  readonly target: PreparedTarget
  readonly version?: number
  /** Whether nothing is told any more of what the schedule reads and writes, which runs before have told. */
  readonly endsLineage?: boolean
}

export class Schedules {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: ScheduleQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await store.listSchedules(db, query)
    return { schedules: await this.#shown(db, rows), total, nextCursor }
  }

  async get(id: string): Promise<Schedule> {
    const { db } = this.#needs.metadata
    return this.#show(db, await orNotFound(store.findSchedule(db, id)))
  }

  async prepareNew(actor: Actor, body: ScheduleCreate): Promise<Prepared> {
    timingOf(body)
    const id = this.#needs.makeId('sch')
    return { id, target: await this.#needs.targets.prepare(actor, id, body.target) }
  }

  /** Whoever changes a schedule becomes its owner, and so has to be allowed what it does. */
  async prepareChange(actor: Actor, id: string, body: ScheduleUpdate): Promise<Prepared> {
    const { metadata, targets } = this.#needs
    const known = await orNotFound(store.findSchedule(metadata.db, id))
    const shown = { type: known.target_type, ...(known.target_id !== null && { id: known.target_id }) }
    const wanted = body.target ?? { ...shown, config: JSON.parse(known.target_config) as Record<string, unknown> }
    const target = await targets.prepare(actor, id, wanted, known)
    const endsLineage = !(await targets.tellsLineage(wanted.type)) && (await hasTold(this.#needs, known))
    return { id, target, version: known.version, endsLineage }
  }

  /** Answers whether the lineage has to be told that it is gone. */
  async prepareDelete(actor: Actor, id: string): Promise<boolean> {
    await this.requireRights(actor, id)
    return hasTold(this.#needs, await orNotFound(store.findSchedule(this.#needs.metadata.db, id)))
  }

  /** Who has a schedule run, or keeps it from running, has to be allowed what it does and, to start it, what it reads. */
  async requireRights(actor: Actor, id: string, starts = false): Promise<void> {
    const { metadata, targets } = this.#needs
    await targets.requireRights(actor, await orNotFound(store.findSchedule(metadata.db, id)), starts)
  }

  async create(tx: Db, actor: Actor, body: ScheduleCreate, prepared: Prepared): Promise<Outcome<Schedule>> {
    const { clock } = this.#needs
    requireWindow(body.catchUpWindow)
    const timing = timingOf(body)
    const row: ScheduleRow = {
      id: prepared.id,
      name: body.name,
      description: body.description ?? '',
      timing: JSON.stringify(timing),
      ...prepared.target.columns,
      overlap: body.overlap ?? 'skip',
      catch_up: body.catchUp ?? 'last',
      catch_up_window: body.catchUpWindow ?? '1d',
      jitter_seconds: body.jitterSeconds ?? 0,
      retries: body.retries ?? 0,
      retry_delay_seconds: body.retryDelaySeconds ?? 60,
      timeout_seconds: body.timeoutSeconds ?? DAY_S,
      pause_after_failures: body.pauseAfterFailures ?? null,
      enabled: body.enabled === false ? 0 : 1,
      pause: body.enabled === false ? this.#pause(actor, '') : null,
      owner_id: actor.id,
      next_due_at: null,
      next_fire_at: null,
      previous_due_at: null,
      failures: 0,
      last_run_id: null,
      ...firstStamps(clock)
    }
    const whole = { ...row, ...nextAfter(row, timing, clock.now()) }
    if (whole.next_due_at === null) throw neverDue(timing)
    requireSomeLeft(timing, clock.now())
    await orNameTaken(() => store.insertSchedule(tx, whole))
    await saveUses(tx, whole.id, prepared.target.uses)
    const changes = [{ type: 'schedule' as const, id: whole.id, after: toBareSchedule(whole) }] as const
    return { answer: await this.#show(tx, whole), changes: [...changes] }
  }

  async update(tx: Db, actor: Actor, id: string, body: ScheduleUpdate, prepared: Prepared): Promise<Outcome<Schedule>> {
    requireWindow(body.catchUpWindow)
    const { before, nowMs } = await this.#locked(tx, id)
    // The target was checked with what was stored then.
    if (before.version !== prepared.version) throw new Problem('stale_version')
    const known = JSON.parse(before.timing) as Timing
    const timing = timingOf(body, known)
    const row: ScheduleRow = {
      ...before,
      ...prepared.target.columns,
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      timing: JSON.stringify(timing),
      overlap: body.overlap ?? before.overlap,
      catch_up: body.catchUp ?? before.catch_up,
      catch_up_window: body.catchUpWindow ?? before.catch_up_window,
      jitter_seconds: body.jitterSeconds ?? before.jitter_seconds,
      retries: body.retries ?? before.retries,
      retry_delay_seconds: body.retryDelaySeconds ?? before.retry_delay_seconds,
      timeout_seconds: body.timeoutSeconds ?? before.timeout_seconds,
      pause_after_failures:
        body.pauseAfterFailures === undefined ? before.pause_after_failures : body.pauseAfterFailures,
      ...this.#enabling(actor, before, body.enabled),
      owner_id: actor.id
    }
    await saveUses(tx, id, prepared.target.uses)
    if (prepared.endsLineage === true) await tellRemoved(tx, await this.#needs.lineage(), id)
    return this.#save(tx, before, row, nowMs)
  }

  async setEnabled(tx: Db, actor: Actor, id: string, enabled: boolean, note: string): Promise<Outcome<Schedule>> {
    const { before, nowMs } = await this.#locked(tx, id)
    if ((before.enabled === 1) === enabled) {
      const state = enabled ? 'enabled' : 'paused'
      const members = { currentStatus: state, allowedFrom: [enabled ? 'paused' : 'enabled'] }
      throw new Problem('illegal_transition', { detail: `The schedule is ${state} already.`, members })
    }
    return this.#save(tx, before, { ...before, ...this.#enabling(actor, before, enabled, note) }, nowMs)
  }

  async delete(tx: Db, id: string, endsLineage: boolean): Promise<Outcome<null>> {
    const row = await orNotFound(store.lockSchedule(tx, id))
    const cause = { code: 'deleted', reason: 'The schedule was deleted' }
    for (const run of await lockOpen(tx, id)) await cancelRun(this.#needs, tx, run, cause)
    await store.deleteSchedule(tx, id)
    if (endsLineage) await tellRemoved(tx, await this.#needs.lineage(), id)
    return { answer: null, changes: [{ type: 'schedule', id, before: toBareSchedule(row) }] }
  }

  preview(body: PreviewBody): Preview {
    const timetable = timetableOf(timingOf(body))
    const zone = body.timeZone ?? 'UTC'
    const dueTimes: Preview['dueTimes'] = []
    let afterMs = body.from === undefined ? this.#needs.clock.now() : Date.parse(body.from) - 1
    while (dueTimes.length < (body.count ?? PREVIEWED)) {
      const due = timetable.next(afterMs)
      if (due === undefined) break
      const at = toIso(due.atMs)
      dueTimes.push({
        at,
        local: localText(due.atMs, zone),
        effect: due.effect ?? null,
        excluded: due.excluded ?? null
      })
      afterMs = due.atMs
    }
    return { dueTimes }
  }

  /**
   * Due times that have come before the change are decided by the rules as they were. What comes next is counted from the
   * same moment: one that comes in between would be lost.
   */
  async #locked(tx: Db, id: string): Promise<{ before: ScheduleRow; nowMs: number }> {
    const row = await orNotFound(store.lockSchedule(tx, id))
    const nowMs = this.#needs.clock.now()
    if (row.next_fire_at === null || row.next_fire_at > toIso(nowMs)) return { before: row, nowMs }
    await handleDue(this.#needs, tx, [row], nowMs)
    return { before: await orNotFound(store.findSchedule(tx, id)), nowMs }
  }

  async #save(tx: Db, before: ScheduleRow, wanted: ScheduleRow, nowMs: number): Promise<Outcome<Schedule>> {
    const timing = JSON.parse(wanted.timing) as Timing
    const isOther = wanted.timing !== before.timing || wanted.jitter_seconds !== before.jitter_seconds
    const next = isOther ? nextAfter(wanted, timing, nowMs) : {}
    const row: ScheduleRow = { ...wanted, ...next, ...nextStamps(before, this.#needs.clock) }
    if (isOther && row.next_due_at === null) throw neverDue(timing)
    if (isOther) await this.#giveUpJitter(tx, before, nowMs)
    if (wanted.timing !== before.timing) requireSomeLeft(timing, nowMs)
    await orNameTaken(() => store.updateSchedule(tx, row.id, row))
    return {
      answer: await this.#show(tx, row),
      changes: [{ type: 'schedule', id: row.id, before: toBareSchedule(before), after: toBareSchedule(row) }]
    }
  }

  /** A due time that has come and waits out its jitter does not begin any more. */
  async #giveUpJitter(tx: Db, { id, next_due_at }: ScheduleRow, nowMs: number): Promise<void> {
    const { makeId, clock } = this.#needs
    if (next_due_at === null || next_due_at > toIso(nowMs)) return
    const reason = 'The times of the schedule were changed before it began'
    const run = {
      ...newRun(makeId, clock, { scheduleId: id, dueAt: next_due_at, kind: 'due' }),
      finished_at: clock.iso()
    }
    await insertRuns(tx, [{ ...run, state: 'skipped', code: 'changed', reason }])
  }

  #enabling(actor: Actor, before: ScheduleRow, enabled: boolean | undefined, note = '') {
    if (enabled === undefined || enabled === (before.enabled === 1)) return {}
    // Failures that paused it are to be counted anew.
    return enabled ? { enabled: 1, pause: null, failures: 0 } : { enabled: 0, pause: this.#pause(actor, note) }
  }

  #pause(actor: Actor, note: string): string {
    const pause: Pause = { at: this.#needs.clock.iso(), by: actor.id, cause: 'user', note }
    return JSON.stringify(pause)
  }

  async #show(db: Db, row: ScheduleRow): Promise<Schedule> {
    const [schedule] = await this.#shown(db, [row])
    return schedule as Schedule
  }

  async #shown(db: Db, rows: readonly ScheduleRow[]): Promise<Schedule[]> {
    const runs = await findRunsInHand(
      db,
      rows.flatMap(({ last_run_id }) => last_run_id ?? [])
    )
    const byId = new Map(runs.map((run) => [run.id, run]))
    return rows.map((row) => toSchedule(row, this.#nextRuns(row), byId.get(row.last_run_id ?? '')))
  }

  #nextRuns(row: ScheduleRow): string[] {
    const found: string[] = []
    if (row.next_due_at === null) return found
    const timetable = this.#needs.timetables.of(row)
    let afterMs = Date.parse(row.next_due_at) - 1
    for (let looked = 0; looked < MAX_LOOKED_AT && found.length < NEXT_SHOWN; looked++) {
      const due = timetable.next(afterMs)
      if (due === undefined) break
      if (due.excluded === undefined) found.push(toIso(due.atMs))
      afterMs = due.atMs
    }
    return found
  }
}

function nextAfter(row: ScheduleRow, timing: Timing, nowMs: number): NextDue {
  return nextOf(row, undefined, nextFired(timetableOf(timing), row.id, row.jitter_seconds, nowMs))
}

function neverDue({ at, endAt }: Timing): Problem {
  if (at !== undefined) return invalidField('/at', 'must be in the future, and between startAt and endAt')
  return endAt === undefined
    ? invalidField('/cron', 'must have a due time to come')
    : invalidField('/endAt', 'must leave a due time to come')
}

function localText(ms: number, timeZone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
  return zoned.toString({ smallestUnit: 'second', timeZoneName: 'never' })
}
