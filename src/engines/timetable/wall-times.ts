import { BoundedMap } from '../bounded-map.ts'
import { type CronFields, readFields } from './cron-fields.ts'
import { daysOfMonth } from './month-days.ts'
import { quoted, TimingError } from './timing.ts'

/** What clocks show when a cron expression fits, in any zone. Times are those at which a clock of UTC shows the same. */
export interface WallTimes {
  /** The hour field allows every hour of the day. */
  readonly everyHour: boolean
  /** The first at or after a time; undefined where there is none. */
  first(fromMs: number): number | undefined
}

const SECONDS_PER_DAY = 86_400
/** 29 February can take 40 years to be the same day of the week again, and nothing takes longer. */
const MAX_MONTHS = 41 * 12

/** Reading takes longer than all the rest, and many schedules share an expression. One takes up to 2 kB. */
const known = new BoundedMap<string, WallTimes>(2000)

export function wallTimesOf(cron: string): WallTimes {
  let times = known.get(cron)
  if (times === undefined) {
    times = makeWallTimes(readFields(cron))
    if (times.first(0) === undefined) {
      throw new TimingError('/cron', `${quoted(cron)} never occurs: none of its months has such a day`)
    }
    known.set(cron, times)
  }
  return times
}

// croner finds next times too, but leaves some out: those of `0 0 1,31 * *` after 10 February begin with 1 March, with
// croner 11.0 with 31 March. It also takes 80 kB for an expression.
function makeWallTimes(fields: CronFields): WallTimes {
  const beginning = timeFrom(fields, 0) as number
  return {
    everyHour: fields.hours.length === 24,
    first(fromMs) {
      const fromSecond = Math.ceil(fromMs / 1000)
      const today = Math.floor(fromSecond / SECONDS_PER_DAY)
      let day = dayFrom(fields, today)
      let time: number | undefined = beginning
      if (day === today) {
        time = timeFrom(fields, fromSecond - today * SECONDS_PER_DAY)
        if (time === undefined) day = dayFrom(fields, today + 1)
      }
      return day === undefined ? undefined : (day * SECONDS_PER_DAY + (time ?? beginning)) * 1000
    }
  }
}

/** The first day that fits, given and answered as the number of days since the epoch. */
function dayFrom(fields: CronFields, from: number): number | undefined {
  const date = new Date(from * SECONDS_PER_DAY * 1000)
  let later = -1 << date.getUTCDate()
  const first = date.getUTCFullYear() * 12 + date.getUTCMonth()
  for (let month = first; month < first + MAX_MONTHS; month++) {
    const [year, monthOfYear] = [Math.floor(month / 12), month % 12]
    if (fields.months.has(monthOfYear)) {
      const days = daysOfMonth(fields, year, monthOfYear) & later
      // The lowest bit that is set.
      if (days !== 0) return Date.UTC(year, monthOfYear, 31 - Math.clz32(days & -days)) / 1000 / SECONDS_PER_DAY
    }
    later = -1
  }
  return undefined
}

/** The first time of a day that fits, given and answered in seconds; undefined where the rest of the day has none. */
function timeFrom({ hours, minutes, seconds }: CronFields, from: number): number | undefined {
  const [hour, minute, second] = [Math.floor(from / 3600), Math.floor(from / 60) % 60, from % 60]
  const inMinute = seconds.find((value) => value >= second)
  const inHour = minutes.find((value) => value > minute)
  const later = hours.find((value) => value > hour)
  if (hours.includes(hour)) {
    if (minutes.includes(minute) && inMinute !== undefined) return hour * 3600 + minute * 60 + inMinute
    if (inHour !== undefined) return hour * 3600 + inHour * 60 + (seconds[0] as number)
  }
  if (later === undefined) return undefined
  return later * 3600 + (minutes[0] as number) * 60 + (seconds[0] as number)
}
