import type { BucketPlan, CalendarBuckets } from '../query/plan.ts'
import { floorDiv, int64 } from './times.ts'

const NS_PER_SECOND = 1_000_000_000n
/** More units of any length than the range of times has on either side of the epoch. */
const PLENTY = 200_000n

/** The number of the bucket that the column `time` falls into, as SQL. */
export function bucketSql(plan: BucketPlan): string {
  if (plan.kind === 'fixed') return floorDiv('time', plan.widthNs)
  const day = shiftedDiv(localSecond(plan), 86_400n)
  const count = BigInt(plan.count)
  // 1970-01-01 was a Thursday.
  if (plan.unit === 'w') return shiftedDiv(`(${day} + 3)`, 7n * count)
  return shiftedDiv(plan.unit === 'd' ? day : monthSql(day), count)
}

/** Division rounded down. The expression occurs only once: it may be long, and ClickHouse copies it for each use. */
function shiftedDiv(expression: string, by: bigint): string {
  return `(intDiv(${expression} + ${int64(PLENTY * by)}, ${int64(by)}) - ${int64(PLENTY)})`
}

/** In seconds, because nanoseconds near the limits of 64 bits leave no room for an offset. */
function localSecond({ offsets }: CalendarBuckets): string {
  const [first, ...later] = offsets.map(({ fromNs, offsetNs }) => ({ fromNs, offset: offsetNs / NS_PER_SECOND }))
  const second = floorDiv('time', NS_PER_SECOND)
  if (later.length === 0) return `${second} + (${first?.offset ?? 0})`
  const cases = later.toReversed().map(({ fromNs, offset }) => `time >= ${int64(fromNs)}, ${offset}`)
  return `${second} + multiIf(${cases.join(', ')}, ${first?.offset})`
}

/**
 * Months since 1970-01 of a day since the epoch, by counting eras of 400 years that begin in March: ClickHouse's own
 * dates begin in 1970. Everything that is divided is positive within the range of times. The lambda gives the day a
 * short name.
 */
function monthSql(day: string): string {
  const dayOfEra = 'modulo(d, 146097)'
  const leapDays = `intDiv(${dayOfEra}, 1460) - intDiv(${dayOfEra}, 36524) + intDiv(${dayOfEra}, 146096)`
  const yearOfEra = `intDiv(${dayOfEra} - (${leapDays}), 365)`
  const dayOfYear = `(${dayOfEra} - 365 * ${yearOfEra} - intDiv(${yearOfEra}, 4) + intDiv(${yearOfEra}, 100))`
  const year = `(intDiv(d, 146097) * 400 + ${yearOfEra} - 1970)`
  const month = `toInt64(${year} * 12 + intDiv(5 * ${dayOfYear} + 2, 153) + 2)`
  return `arrayElement(arrayMap(d -> ${month}, [${day} + 719468]), 1)`
}
