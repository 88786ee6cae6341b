/** Units of durations: of relative times, of the width of buckets, of how long something is kept. */
const UNITS = {
  ms: 'milliseconds',
  s: 'seconds',
  m: 'minutes',
  h: 'hours',
  d: 'days',
  w: 'weeks',
  mo: 'months',
  y: 'years'
} as const

export interface Duration {
  readonly count: number
  readonly unit: keyof typeof UNITS
}

const UNIT_NAMES = Object.keys(UNITS)

/** For messages and descriptions: the form that `parseDuration` reads. */
export const DURATION_FORM = `a whole number from 1 on and a unit (${UNIT_NAMES.join(' ')}), such as 5m`
/** For messages and descriptions: the forms that `parseTime` reads. */
export const TIME_FORM = `now, a minus sign with a whole number and a unit (${UNIT_NAMES.join(' ')}), such as -1h, or an ISO 8601 time with its offset, between 1677-09-22 and 2262-04-11`

export const MAX_DURATION_CHARS = 11
export const MAX_TIME_CHARS = 40

const DURATION = new RegExp(`^([1-9]\\d{0,8})(${UNIT_NAMES.join('|')})$`)
const RELATIVE = new RegExp(`^-(\\d{1,9})(${UNIT_NAMES.join('|')})$`)
const DATE = /^\d{4}-\d\d-\d\d$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

/** The nanoseconds that 64 bits hold: time series are kept in these. */
const MIN_NS = -(2n ** 63n)
const MAX_NS = 2n ** 63n - 1n

/** Reads `5m`; undefined for anything that is not a duration. */
export function parseDuration(text: string): Duration | undefined {
  const [, count, unit] = DURATION.exec(text) ?? []
  return count === undefined ? undefined : { count: Number(count), unit: unit as Duration['unit'] }
}

/**
 * The time so long before another; months and years follow the calendar, in UTC. Undefined where there is no such
 * time.
 */
export function timeBefore(ms: number, { count, unit }: Duration): number | undefined {
  try {
    const time = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC')
    return time.subtract({ [UNITS[unit]]: count }).epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Nanoseconds since the epoch of `now`, `-1h` or an ISO time; undefined for anything else, and beyond 64 bits. */
export function parseTime(text: string, nowMs: number): bigint | undefined {
  const ns = readTime(text, nowMs)
  return ns !== undefined && ns >= MIN_NS && ns <= MAX_NS ? ns : undefined
}

function readTime(text: string, nowMs: number): bigint | undefined {
  if (text === 'now') return BigInt(nowMs) * 1_000_000n
  const [, count, unit] = RELATIVE.exec(text) ?? []
  if (count !== undefined) {
    const ms = timeBefore(nowMs, { count: Number(count), unit: unit as Duration['unit'] })
    return ms === undefined ? undefined : BigInt(ms) * 1_000_000n
  }
  if (DATE.test(text)) return instantNs(`${text}T00:00:00Z`)
  return INSTANT.test(text) ? instantNs(text) : undefined
}

function instantNs(text: string): bigint | undefined {
  try {
    return Temporal.Instant.from(text).epochNanoseconds
  } catch (error) {
    if (error instanceof RangeError) return undefined // a day that the month does not have
    throw error
  }
}

/** ISO 8601 UTC with milliseconds, and with as many more digits, six or nine in all, as the time needs. */
export function isoOfNs(ns: bigint): string {
  const subMsNs = ((ns % 1_000_000n) + 1_000_000n) % 1_000_000n
  const iso = new Date(Number((ns - subMsNs) / 1_000_000n)).toISOString()
  if (subMsNs === 0n) return iso
  const digits = String(subMsNs).padStart(6, '0')
  return `${iso.slice(0, -1)}${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`
}
