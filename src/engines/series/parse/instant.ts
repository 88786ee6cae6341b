import type { Precision } from '../index.ts'
import { MINUS, NINE, ZERO } from './bytes.ts'

export const TIME_READ = 0
export const NOT_A_TIME = 1
export const TIME_OUT_OF_RANGE = 2

type TimeStatus = typeof TIME_READ | typeof NOT_A_TIME | typeof TIME_OUT_OF_RANGE

/** How many digits seconds since the epoch have, from 2001 to 2286. */
const USUAL_DIGITS = 10

const SECONDS_PER_DAY = 86_400

/**
 * The times that InfluxDB takes: 64 bits of nanoseconds without the outermost values, which stores such as DuckDB keep for
 * "infinite" and "none".
 */
const MAX_SECONDS = 9_223_372_036
const MAX_NS_OF_MAX_SECOND = 854_775_806
const MIN_SECONDS = -9_223_372_037
const MIN_NS_OF_MIN_SECOND = 145_224_194

/**
 * How many of the last digits are below a second, the nanoseconds of the last of them, and the seconds of the last of
 * the others.
 */
interface Unit {
  readonly decimals: number
  readonly decimalNs: number
  readonly seconds: number
}

const UNITS: Readonly<Record<Precision, Unit>> = {
  ns: { decimals: 9, decimalNs: 1, seconds: 1 },
  us: { decimals: 6, decimalNs: 1_000, seconds: 1 },
  ms: { decimals: 3, decimalNs: 1_000_000, seconds: 1 },
  s: { decimals: 0, decimalNs: 0, seconds: 1 },
  m: { decimals: 0, decimalNs: 0, seconds: 60 },
  h: { decimals: 0, decimalNs: 0, seconds: 3_600 }
}

/** A time as a day and the nanoseconds into it, read from digits with exact arithmetic in plain numbers. */
export class Instant {
  day = 0
  ns = 0
  /** The position after the last byte read. */
  end = 0
  #unit = UNITS.ns

  /** Sets the unit of numeric times. */
  use(precision: Precision): void {
    this.#unit = UNITS[precision]
  }

  /** Reads as many digits as there are. */
  read(bytes: Buffer, start: number): TimeStatus {
    const { decimals, decimalNs, seconds: unitSeconds } = this.#unit
    let at = start
    // Nine digits fit 32 bits, and 32-bit arithmetic takes a third of the time.
    let tens = 0
    for (const last = start + USUAL_DIGITS - 1; at < last; at++) {
      const digit = (bytes[at] as number) - ZERO
      if (digit < 0 || digit > 9) return this.#readAny(bytes, start)
      tens = (Math.imul(tens, 10) + digit) | 0
    }
    const ones = (bytes[at++] as number) - ZERO
    if (ones < 0 || ones > 9) return this.#readAny(bytes, start)
    let part = 0
    for (const end = at + decimals; at < end; at++) {
      const digit = (bytes[at] as number) - ZERO
      if (digit < 0 || digit > 9) return this.#readAny(bytes, start)
      part = (Math.imul(part, 10) + digit) | 0
    }
    if (isDigit(bytes[at])) return this.#readAny(bytes, start)
    this.end = at
    return this.set((tens * 10 + ones) * unitSeconds, part * decimalNs) ? TIME_READ : TIME_OUT_OF_RANGE
  }

  #readAny(bytes: Buffer, start: number): TimeStatus {
    const negative = bytes[start] === MINUS
    const first = negative ? start + 1 : start
    let end = first
    while (isDigit(bytes[end])) end++
    this.end = end
    if (end === first) return NOT_A_TIME
    const { decimals, decimalNs, seconds: unitSeconds } = this.#unit
    const point = Math.max(first, end - decimals)
    const seconds = numberOf(bytes, first, point) * unitSeconds
    const part = numberOf(bytes, point, end) * decimalNs
    if (!negative) return this.set(seconds, part) ? TIME_READ : TIME_OUT_OF_RANGE
    const placed = part === 0 ? this.set(0 - seconds, 0) : this.set(-seconds - 1, 1_000_000_000 - part)
    return placed ? TIME_READ : TIME_OUT_OF_RANGE
  }

  /** Sets the time from seconds since the epoch and the nanoseconds after them; false where that is out of range. */
  set(seconds: number, ns: number): boolean {
    if (seconds > MAX_SECONDS || (seconds === MAX_SECONDS && ns > MAX_NS_OF_MAX_SECOND)) return false
    if (seconds < MIN_SECONDS || (seconds === MIN_SECONDS && ns < MIN_NS_OF_MIN_SECOND)) return false
    const day = Math.floor(seconds / SECONDS_PER_DAY)
    this.day = day
    this.ns = (seconds - day * SECONDS_PER_DAY) * 1_000_000_000 + ns
    return true
  }

  setMs(ms: number): boolean {
    const seconds = Math.floor(ms / 1_000)
    return this.set(seconds, Math.floor(ms - seconds * 1_000) * 1_000_000)
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

function numberOf(bytes: Buffer, start: number, end: number): number {
  let number = 0
  for (let at = start; at < end; at++) number = number * 10 + ((bytes[at] as number) - ZERO)
  return number
}
