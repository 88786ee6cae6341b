import { epochMonth, firstDayOfMonth } from './civil.ts'
import { floorMs, MS_PER_DAY, NS_PER_MS } from './ns.ts'
import type { BucketPlan, CalendarBuckets } from './plan.ts'

/** From the Monday before the epoch to the epoch. */
const DAYS_SINCE_MONDAY = 3

/**
 * Walks over time in spans that lie in one bucket each. Where clocks are set back over midnight a bucket has more than
 * one span, with one of its neighbour's between.
 */
export class BucketSpans {
  /** The bucket of the span last sought. */
  index = 0
  /** Where that span ends: the first millisecond that is no longer in it. */
  endMs = Number.NEGATIVE_INFINITY
  readonly #widthMs: number
  readonly #calendar: CalendarBuckets | undefined
  readonly #offsets: readonly { readonly fromMs: number; readonly offsetMs: number }[]

  constructor(plan: BucketPlan) {
    this.#widthMs = plan.kind === 'fixed' ? floorMs(plan.widthNs) : 0
    this.#calendar = plan.kind === 'calendar' ? plan : undefined
    this.#offsets = (this.#calendar?.offsets ?? []).map(({ fromNs, offsetNs }) => ({
      fromMs: floorMs(fromNs),
      offsetMs: Number(offsetNs) / NS_PER_MS
    }))
  }

  seek(ms: number): void {
    if (this.#calendar === undefined) {
      this.index = Math.floor(ms / this.#widthMs)
      this.endMs = (this.index + 1) * this.#widthMs
      return
    }
    let at = this.#offsets.length - 1
    while (at > 0 && (this.#offsets[at]?.fromMs ?? 0) > ms) at--
    const offsetMs = this.#offsets[at]?.offsetMs ?? 0
    this.index = indexOfDay(this.#calendar, Math.floor((ms + offsetMs) / MS_PER_DAY))
    const endMs = firstDay(this.#calendar, this.index + 1) * MS_PER_DAY - offsetMs
    this.endMs = Math.min(endMs, this.#offsets[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY)
  }
}

function indexOfDay(plan: CalendarBuckets, day: number): number {
  if (plan.unit === 'd') return Math.floor(day / plan.count)
  if (plan.unit === 'w') return Math.floor((day + DAYS_SINCE_MONDAY) / (7 * plan.count))
  return Math.floor(epochMonth(day) / plan.count)
}

/** The first local date of a bucket, in days since the epoch. */
export function firstDay(plan: CalendarBuckets, index: number): number {
  if (plan.unit === 'd') return index * plan.count
  if (plan.unit === 'w') return index * plan.count * 7 - DAYS_SINCE_MONDAY
  return firstDayOfMonth(index * plan.count)
}
