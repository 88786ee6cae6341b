import { type CronFields, LAST_OF_MONTH, type MonthDays } from './cron-fields.ts'

/** The days of a month that fit, as bits: 1 << 1 is the first. */
export function daysOfMonth(fields: CronFields, year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const firstWeekday = new Date(Date.UTC(year, month, 1)).getUTCDay()
  const weekdayOf = (day: number) => (firstWeekday + day - 1) % 7
  const special = specialDays(fields.monthDays, lastDay, weekdayOf)
  let days = 0
  for (let day = 1; day <= lastDay; day++) {
    const monthDay = fields.monthDays.days.has(day) || special.includes(day)
    const weekday = fitsWeekday(fields.weekdays[weekdayOf(day)] as number, day, lastDay)
    if (fields.bothDays ? monthDay && weekday : monthDay || weekday) days |= 1 << day
  }
  return days
}

function fitsWeekday(which: number, day: number, lastDay: number): boolean {
  const occurrence = 1 << Math.floor((day - 1) / 7)
  return (which & occurrence) !== 0 || ((which & LAST_OF_MONTH) !== 0 && day + 7 > lastDay)
}

function specialDays(monthDays: MonthDays, lastDay: number, weekdayOf: (day: number) => number): number[] {
  const workday = (day: number) => {
    if (weekdayOf(day) === 6) return day === 1 ? day + 2 : day - 1
    if (weekdayOf(day) === 0) return day === lastDay ? day - 2 : day + 1
    return day
  }
  return [
    ...(monthDays.last ? [lastDay] : []),
    ...(monthDays.lastWorkday ? [workday(lastDay)] : []),
    ...monthDays.nearestTo.filter((day) => day <= lastDay).map(workday)
  ]
}
