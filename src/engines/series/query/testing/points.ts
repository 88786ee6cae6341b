import fc from 'fast-check'
import { splitDay } from '../ns.ts'
import type { BucketWidth } from '../plan.ts'
import type { Segment } from '../segment.ts'

export interface TestPoint {
  readonly ns: bigint
  readonly value: number
  readonly quality: number
  readonly exact?: string | bigint | undefined
}

export interface TestCase {
  readonly width: BucketWidth
  readonly fromNs: bigint
  readonly toNs: bigint
  readonly points: readonly TestPoint[]
}

export const DAY_NS = 86_400_000_000_000n
const HALF_HOUR_NS = 1_800_000_000_000n

export function nsOf(iso: string): bigint {
  return Temporal.Instant.from(iso).epochNanoseconds
}

/** Segments as an engine has them: sorted by time, one for each day. */
export function segmentsOf(points: readonly TestPoint[]): Segment[] {
  const sorted = points.toSorted((a, b) => (a.ns < b.ns ? -1 : 1))
  const days = Map.groupBy(sorted, (point) => splitDay(point.ns).day)
  return Array.from(days, ([day, own]) => ({
    day,
    length: own.length,
    ns: Float64Array.from(own, (point) => splitDay(point.ns).ns),
    values: Float64Array.from(own, (point) => point.value),
    quality: own.some((point) => point.quality !== 0) ? Uint8Array.from(own, (point) => point.quality) : undefined,
    exact: own.some((point) => point.exact !== undefined) ? own.map((point) => point.exact) : undefined
  }))
}

/** Points and a range near one of some moments: spread over `reachNs`, and gathered where buckets and offsets change. */
export function testCase(
  moments: readonly bigint[],
  counts: readonly number[],
  unit: BucketWidth['unit'],
  reachNs: bigint
) {
  return fc.constantFrom(...moments).chain((moment) => {
    const time = timeNear(moment, reachNs)
    return fc
      .record({
        width: fc.constantFrom(...counts).map((count) => ({ count, unit })),
        bounds: fc.tuple(time, time).filter(([a, b]) => a !== b),
        points: fc.uniqueArray(pointAt(time), { selector: (point) => point.ns, maxLength: 60, size: 'max' })
      })
      .map(({ width, bounds, points }): TestCase => {
        const [fromNs, toNs] = bounds[0] < bounds[1] ? bounds : [bounds[1], bounds[0]]
        return { width, fromNs, toNs, points }
      })
  })
}

function timeNear(moment: bigint, reachNs: bigint): fc.Arbitrary<bigint> {
  const stepNs = reachNs < 10n * DAY_NS ? reachNs / 60n : HALF_HOUR_NS
  const jitterNs = fc.oneof(fc.constantFrom(-1n, 0n, 1n, stepNs / 40n), fc.bigInt(0n, stepNs))
  const near = fc.tuple(fc.bigInt(-60n, 60n), jitterNs).map(([steps, jitter]) => steps * stepNs + jitter)
  return fc.oneof(near, near, fc.bigInt(-reachNs, reachNs)).map((distance) => moment + distance)
}

function pointAt(time: fc.Arbitrary<bigint>): fc.Arbitrary<TestPoint> {
  return fc.record({
    ns: time,
    // Eighths add up without rounding in any order.
    value: fc.integer({ min: -4000, max: 4000 }).map((eighths) => eighths / 8),
    quality: fc.constantFrom(0, 0, 0, 1, 2)
  })
}
