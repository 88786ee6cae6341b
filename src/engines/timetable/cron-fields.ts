import { createRequire } from 'node:module'
import { checkCron } from './cron-text.ts'

/** What a cron expression allows. Lists are sorted. */
export interface CronFields {
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  /** From 0. */
  readonly months: ReadonlySet<number>
  readonly monthDays: MonthDays
  /** For each day of the week from Sunday on, which of a month: a bit for each of the first five, and one for the last. */
  readonly weekdays: readonly number[]
  /** A day has to fit both kinds, because one of them allows every day; otherwise one of them. */
  readonly bothDays: boolean
}

export interface MonthDays {
  readonly days: ReadonlySet<number>
  /** The days next to these from Monday to Friday. */
  readonly nearestTo: readonly number[]
  readonly last: boolean
  /** The last from Monday to Friday. */
  readonly lastWorkday: boolean
}

export const LAST_OF_MONTH = 1 << 5

/** Throws a TimingError where it is no expression. */
export function readFields(cron: string): CronFields {
  checkCron(cron)
  // Loaded where it is used: a platform without schedules needs no cron.
  const { CronPattern } = createRequire(import.meta.url)('croner') as typeof import('croner')
  const pattern = new CronPattern(cron)
  return {
    seconds: allowed(pattern.second),
    minutes: allowed(pattern.minute),
    hours: allowed(pattern.hour),
    months: new Set(allowed(pattern.month)),
    monthDays: {
      days: new Set(allowed(pattern.day).map((day) => day + 1)),
      nearestTo: allowed(pattern.nearestWeekdays).map((day) => day + 1),
      last: pattern.lastDayOfMonth,
      lastWorkday: pattern.lastWeekday
    },
    weekdays: pattern.dayOfWeek.slice(0, 7),
    bothDays: pattern.starDOM || pattern.starDOW
  }
}

const allowed = (flags: readonly number[]): number[] => [...flags.keys()].filter((value) => flags[value])
