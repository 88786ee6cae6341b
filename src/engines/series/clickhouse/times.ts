export const MIN_NS = -(2n ** 63n)
export const MAX_NS = 2n ** 63n - 1n

const PERIOD_NS = 30n * 86_400_000_000_000n
/**
 * The period of the year 2100. All later times share one period, as do all before 1970, so that wrong clocks do not
 * make thousands of periods.
 */
const LAST_PERIOD = 1583n

/** A 64-bit number as SQL. A plain literal might be taken as unsigned, which divides wrongly, or as a double. */
export function int64(value: bigint): string {
  return `toInt64('${value}')`
}

/** The partition of a point, by the column `time`: periods of thirty days. */
export const PERIOD_OF_TIME = `greatest(toInt64(-1), least(${int64(LAST_PERIOD)}, ${floorDiv('time', PERIOD_NS)}))`

/** The period of a time. */
export function periodOf(ns: bigint): bigint {
  const period = ns < 0n ? -1n : ns / PERIOD_NS
  return period > LAST_PERIOD ? LAST_PERIOD : period
}

/** Division rounded down; ClickHouse's own rounds towards zero. */
export function floorDiv(expression: string, by: bigint): string {
  return by === 1n ? expression : `(intDiv(${expression}, ${int64(by)}) - (modulo(${expression}, ${int64(by)}) < 0))`
}

export function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
