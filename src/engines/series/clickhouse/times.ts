export const MIN_NS = -(2n ** 63n)
export const MAX_NS = 2n ** 63n - 1n

const PERIOD_NS = 30n * 86_400_000_000_000n
/** Of 2100; what is beyond shares one, as does what is before 1970, so that wild clocks make no thousands of them. */
const LAST_PERIOD = 1583n

/** A number of 64 bits as SQL. As a literal it might be taken as unsigned, which divides wrongly, or as a double. */
export function int64(value: bigint): string {
  return `toInt64('${value}')`
}

/** The parts that points are kept in, by the column `time`: of thirty days each. */
export const PERIOD_OF_TIME = `greatest(toInt64(-1), least(${int64(LAST_PERIOD)}, ${floorDiv('time', PERIOD_NS)}))`

/** Which of them a time is in. */
export function periodOf(ns: bigint): bigint {
  const period = ns < 0n ? -1n : ns / PERIOD_NS
  return period > LAST_PERIOD ? LAST_PERIOD : period
}

/** Rounded down, which ClickHouse's own division is not below zero. */
export function floorDiv(expression: string, by: bigint): string {
  return by === 1n ? expression : `(intDiv(${expression}, ${int64(by)}) - (modulo(${expression}, ${int64(by)}) < 0))`
}

export function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
