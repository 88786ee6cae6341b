import { BucketSpans, firstDay } from './bucket-spans.ts'
import { floorMs, MS_PER_DAY, NS_PER_MS } from './ns.ts'
import type { BucketPlan, BucketWidth, CalendarBuckets, CalendarUnit, Query } from './plan.ts'

const FIXED_MS: Partial<Record<CalendarUnit, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/**
 * How a range is divided. Buckets of hours and shorter have one length and are aligned to the epoch in any zone.
 * Days, weeks (from Monday), months and years follow the local date of the zone, counted from the epoch: with `2d`
 * every bucket has two local days, and 1970-01-01 begins one.
 */
export function planBuckets(width: BucketWidth, timeZone: string, fromNs: bigint, toNs: bigint): BucketPlan {
  const { count, unit } = width
  const unitMs = unit === 'd' && timeZone === 'UTC' ? MS_PER_DAY : FIXED_MS[unit]
  if (unitMs !== undefined) return { kind: 'fixed', widthNs: BigInt(count) * BigInt(unitMs) * BigInt(NS_PER_MS) }
  const offsets = offsetsWithin(timeZone, fromNs, toNs)
  const months = unit === 'y' ? 12 * count : count
  return unit === 'd' || unit === 'w'
    ? { kind: 'calendar', unit, count, timeZone, offsets }
    : { kind: 'calendar', unit: 'mo', count: months, timeZone, offsets }
}

/** The plan of a query; undefined where it asks for the points themselves. */
export function planOf(query: Pick<Query, 'bucket' | 'timeZone' | 'fromNs' | 'toNs'>): BucketPlan | undefined {
  return query.bucket && planBuckets(query.bucket, query.timeZone, query.fromNs, query.toNs)
}

function offsetsWithin(timeZone: string, fromNs: bigint, toNs: bigint): CalendarBuckets['offsets'] {
  let local: Temporal.ZonedDateTime | null = new Temporal.Instant(fromNs).toZonedDateTimeISO(timeZone)
  const offsets = [{ fromNs, offsetNs: BigInt(local.offsetNanoseconds) }]
  for (;;) {
    local = local.getTimeZoneTransition('next')
    if (local === null || local.epochNanoseconds >= toNs) return offsets
    offsets.push({ fromNs: local.epochNanoseconds, offsetNs: BigInt(local.offsetNanoseconds) })
  }
}

/** The bucket of a time, given as a day since the epoch and the nanoseconds into it. */
export function bucketIndex(plan: BucketPlan, day: number, ns: number): number {
  const spans = new BucketSpans(plan)
  spans.seek(day * MS_PER_DAY + Math.floor(ns / NS_PER_MS))
  return spans.index
}

/** Starts of calendar buckets. Computing one from the zone takes microseconds, and all tags have the same ones. */
const calendarStarts = new WeakMap<BucketPlan, Map<number, number>>()

/** When a bucket begins; a calendar bucket begins at the first instant that has its date in the zone. */
export function bucketStartMs(plan: BucketPlan, index: number): number {
  if (plan.kind === 'fixed') return index * floorMs(plan.widthNs)
  let starts = calendarStarts.get(plan)
  if (starts === undefined) {
    starts = new Map()
    calendarStarts.set(plan, starts)
  }
  let startMs = starts.get(index)
  if (startMs === undefined) {
    const date = Temporal.PlainDate.from('1970-01-01').add({ days: firstDay(plan, index) })
    startMs = date.toZonedDateTime(plan.timeZone).epochMilliseconds
    starts.set(index, startMs)
  }
  return startMs
}

/** The starts of many buckets; the same index may occur several times. */
export function bucketStarts(plan: BucketPlan, indexes: Float64Array): Float64Array {
  if (plan.kind === 'calendar') return indexes.map((index) => bucketStartMs(plan, index))
  const widthMs = floorMs(plan.widthNs)
  const starts = new Float64Array(indexes.length)
  for (let row = 0; row < starts.length; row++) starts[row] = (indexes[row] as number) * widthMs
  return starts
}

/** How many buckets a range touches. */
export function countBuckets(plan: BucketPlan, fromNs: bigint, toNs: bigint): number {
  if (plan.kind === 'calendar') return calendarIndexes(plan, fromNs, toNs).length
  if (fromNs >= toNs) return 0
  const widthMs = floorMs(plan.widthNs)
  return Math.floor(floorMs(toNs - 1n) / widthMs) - Math.floor(floorMs(fromNs) / widthMs) + 1
}

/** When each bucket that a range touches begins, in order. */
export function bucketsBetween(plan: BucketPlan, fromNs: bigint, toNs: bigint): Float64Array {
  if (plan.kind === 'calendar') {
    return Float64Array.from(calendarIndexes(plan, fromNs, toNs), (index) => bucketStartMs(plan, index))
  }
  const widthMs = floorMs(plan.widthNs)
  const firstMs = Math.floor(floorMs(fromNs) / widthMs) * widthMs
  return new Float64Array(countBuckets(plan, fromNs, toNs)).map((_, place) => firstMs + place * widthMs)
}

function calendarIndexes(plan: CalendarBuckets, fromNs: bigint, toNs: bigint): number[] {
  if (fromNs >= toNs) return []
  const indexes = new Set<number>()
  const spans = new BucketSpans(plan)
  const lastMs = floorMs(toNs - 1n)
  for (let ms = floorMs(fromNs); ms <= lastMs; ms = spans.endMs) {
    spans.seek(ms)
    indexes.add(spans.index)
  }
  return [...indexes].sort((a, b) => a - b)
}
