import type { SqlValue } from '../index.ts'

const DAY_MS = 86_400_000
const TIME = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?Z?)?$/

/** Days since 1970 of a date or time. */
export function dayNumber(value: SqlValue, min: number, max: number): bigint | undefined {
  const day = TIME.exec(String(value))?.[1]
  const number = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`) / DAY_MS
  return number >= min && number <= max && dayText(BigInt(number)) === day ? BigInt(number) : undefined
}

export function dayText(day: bigint): string {
  return new Date(Number(day) * DAY_MS).toISOString().slice(0, 10)
}

/** Time since 1970 in units of `digits` decimals of a second; finer digits are cut off. */
export function ticks(value: SqlValue, digits: number, minSeconds: bigint, maxSeconds: bigint): bigint | undefined {
  const [, day, time = '00:00:00', fraction = ''] = TIME.exec(String(value)) ?? []
  const ms = day === undefined || dayNumber(day, -1e6, 1e7) === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(ms)) return undefined
  const seconds = BigInt(ms) / 1000n
  if (seconds < minSeconds || seconds > maxSeconds) return undefined
  return seconds * 10n ** BigInt(digits) + BigInt(fraction.slice(0, digits).padEnd(digits, '0') || '0')
}

/** A time with its zone, so that the column's zone does not matter. */
export function ticksText(whole: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits)
  const part = ((whole % unit) + unit) % unit
  const seconds = (whole - part) / unit
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return `${text}${digits === 0 ? '' : `.${String(part).padStart(digits, '0')}`}Z`
}
