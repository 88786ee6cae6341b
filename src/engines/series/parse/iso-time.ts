import type { Instant } from './instant.ts'
import { NOT_A_TIME, TIME_OUT_OF_RANGE, TIME_READ } from './instant.ts'

const ISO_TIME =
  /^(?<day>(?<year>\d{4})-\d\d-\d\d)[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<part>\d{1,9}))?)?(?<zone>[Zz]|(?<sign>[+-])(?<zoneHour>\d\d):?(?<zoneMinute>\d\d)?)$/

/** The years that fit 64 bits of nanoseconds. */
const FIRST_YEAR = 1677
const LAST_YEAR = 2262

/** A date and time with an offset, which is required: without it the instant is not known. */
export function readIsoTime(text: string, instant: Instant) {
  const parts = ISO_TIME.exec(text)?.groups
  if (parts === undefined) return NOT_A_TIME
  const { day, hour, minute, second = '0', part = '', sign, zoneHour = '0', zoneMinute = '0' } = parts
  const midnightMs = Date.parse(`${day}T00:00:00Z`)
  // `Date` turns the 30th of February into the 1st or 2nd of March.
  const isDay = !Number.isNaN(midnightMs) && new Date(midnightMs).toISOString().startsWith(`${day}T`)
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  if (!isDay || !isTime || Number(zoneHour) > 23 || Number(zoneMinute) > 59) return NOT_A_TIME
  const year = Number(parts.year)
  if (year < FIRST_YEAR || year > LAST_YEAR) return TIME_OUT_OF_RANGE
  const offsetSeconds = (sign === '-' ? -60 : 60) * (Number(zoneHour) * 60 + Number(zoneMinute))
  const ofDaySeconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  const seconds = midnightMs / 1000 + ofDaySeconds - offsetSeconds
  return instant.set(seconds, Number(part.padEnd(9, '0'))) ? TIME_READ : TIME_OUT_OF_RANGE
}
