import { BoundedMap } from '../../../engines/bounded-map.ts'
import { toIso } from '../../../engines/clock.ts'
import { type Due, type Timetable, type Timing, timetableOf } from '../../../engines/timetable/index.ts'
import { type Duration, parseDuration, timeBefore } from '../../../http/times.ts'
import type { DueRule } from '../due/decide.ts'
import type { ScheduleRow } from '../migrations.ts'

const MAX_KNOWN = 10_000

/** Timetables of schedules, which cost more to make than to ask. */
export class Timetables {
  readonly #known = new BoundedMap<string, { readonly timing: string; readonly timetable: Timetable }>(MAX_KNOWN)

  of({ id, timing }: Pick<ScheduleRow, 'id' | 'timing'>): Timetable {
    const known = this.#known.get(id)
    if (known?.timing === timing) return known.timetable
    const timetable = timetableOf(JSON.parse(timing) as Timing)
    this.#known.set(id, { timing, timetable })
    return timetable
  }

  /** The last due time before another one, those that are excluded left out; null where there is none. */
  dueBefore(schedule: Pick<ScheduleRow, 'id' | 'timing'>, dueAt: string): string | null {
    const timetable = this.of(schedule)
    let beforeMs = Date.parse(dueAt)
    for (let tries = 0; tries < MAX_EXCLUDED; tries++) {
      const due = lastBefore(timetable, beforeMs)
      if (due === undefined) return null
      if (due.excluded === undefined) return toIso(due.atMs)
      beforeMs = due.atMs
    }
    return null
  }
}

const MAX_EXCLUDED = 1000
const FIRST_SPAN_MS = 1000
const LAST_SPAN_MS = 20 * 366 * 86_400_000

/** Goes back in steps that double until there is a due time, and then halves the step in which it is. */
function lastBefore(timetable: Timetable, beforeMs: number): Due | undefined {
  const isBefore = (due: Due | undefined): due is Due => due !== undefined && due.atMs < beforeMs
  let spanMs = FIRST_SPAN_MS
  while (!isBefore(timetable.next(beforeMs - spanMs))) {
    spanMs *= 2
    if (spanMs > LAST_SPAN_MS) return undefined
  }
  let lowMs = beforeMs - spanMs
  let highMs = beforeMs - 1
  while (highMs - lowMs > 1) {
    const middleMs = Math.floor((lowMs + highMs) / 2)
    if (isBefore(timetable.next(middleMs))) lowMs = middleMs
    else highMs = middleMs
  }
  return timetable.next(lowMs)
}

export function ruleOf(schedule: ScheduleRow): DueRule {
  return {
    enabled: schedule.enabled === 1,
    overlap: schedule.overlap,
    catchUp: schedule.catch_up,
    catchUpWindowMs: widthMs(schedule.catch_up_window)
  }
}

const widths = new BoundedMap<string, number>(MAX_KNOWN)

/**
 * A duration of whole days and less is the same at any time; months and years are those before the epoch. Most schedules
 * have the same one, and each due time asks.
 */
function widthMs(text: string): number {
  let width = widths.get(text)
  if (width === undefined) {
    width = -(timeBefore(0, parseDuration(text) as Duration) as number)
    widths.set(text, width)
  }
  return width
}
