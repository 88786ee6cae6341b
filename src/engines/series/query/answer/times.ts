import { civilDate } from '../civil.ts'
import { floorMs, MS_PER_DAY, NS_PER_MS } from '../ns.ts'
import { writePadded } from './numbers.ts'

/** As in `2026-01-01T00:00:00.000000000Z`. */
export const MAX_TIME_BYTES = 30

const DATE_BYTES = 11
const [DASH, COLON, POINT, T, Z] = Buffer.from('-:.TZ') as unknown as [number, number, number, number, number]

/** The date written last: times are sorted, so most have the same date as the one before. */
const date = new Uint8Array(DATE_BYTES)
let dateDay = Number.NaN

/** Writes ISO 8601 in UTC with milliseconds, or with more digits where needed, and returns the index after it. */
export function writeTime(bytes: Uint8Array, from: number, ms: number, subMsNs: number): number {
  const day = Math.floor(ms / MS_PER_DAY)
  if (day !== dateDay) writeDate(day)
  for (let at = 0; at < DATE_BYTES; at++) bytes[from + at] = date[at] as number
  const msOfDay = ms - day * MS_PER_DAY
  const seconds = (msOfDay / 1000) | 0
  const minutes = (seconds / 60) | 0
  const hours = (minutes / 60) | 0
  let at = writePadded(bytes, from + DATE_BYTES, hours, 2)
  bytes[at] = COLON
  at = writePadded(bytes, at + 1, minutes - hours * 60, 2)
  bytes[at] = COLON
  at = writePadded(bytes, at + 1, seconds - minutes * 60, 2)
  bytes[at] = POINT
  at = writePadded(bytes, at + 1, msOfDay - seconds * 1000, 3)
  if (subMsNs !== 0)
    at = subMsNs % 1000 === 0 ? writePadded(bytes, at, subMsNs / 1000, 3) : writePadded(bytes, at, subMsNs, 6)
  bytes[at] = Z
  return at + 1
}

function writeDate(day: number): void {
  const civil = civilDate(day)
  writePadded(date, 0, civil.year, 4)
  date[4] = DASH
  writePadded(date, 5, civil.month, 2)
  date[7] = DASH
  writePadded(date, 8, civil.day, 2)
  date[10] = T
  dateDay = day
}

/** One time as text. */
export function isoTime(ns: bigint): string {
  const bytes = Buffer.alloc(MAX_TIME_BYTES)
  const ms = floorMs(ns)
  return bytes.toString('latin1', 0, writeTime(bytes, 0, ms, Number(ns - BigInt(ms) * BigInt(NS_PER_MS))))
}
