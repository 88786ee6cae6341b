import { between, pick, type Random } from '../../seeded-random.ts'

/** A cron expression, and what it means, which is not read from its text but made along with it. */
export interface Expression {
  readonly text: string
  readonly seconds: readonly boolean[]
  readonly minutes: readonly boolean[]
  readonly hours: readonly boolean[]
  /** Whether a day fits, given as the number of days since the epoch. */
  readonly fitsDay: (day: number) => boolean
  /** cron-parser reads it, and as classic cron does. */
  readonly classic: boolean
}

interface Part {
  readonly text: string
  readonly values: readonly number[]
  readonly fitsDay?: (date: Calendar) => boolean
  readonly classic?: false
}

interface Calendar {
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly lastDay: number
  /** The weekday of another day of the same month. */
  readonly weekdayOf: (day: number) => number
}

const MONTHS = ['', 'jan', 'Feb', 'MAR', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'Mon', 'TUE', 'wed', 'thu', 'fri', 'sat', 'sun']

/** One of all kinds of expressions; most fit on most days and at night, which is when clocks are changed. */
export function anyExpression(random: Random): Expression {
  const seconds = random() < 0.4 ? anyField(random, 0, 59) : undefined
  const minutes = anyField(random, 0, 59)
  const hours = random() < 0.5 ? nightHours(random) : anyField(random, 0, 23)
  const months = random() < 0.75 ? star(1, 12) : anyField(random, 1, 12, MONTHS)
  const monthDays =
    random() < 0.6 ? starOfDays(random, 1, 31) : withoutImpossible(anyField(random, 1, 31, [], monthDay))
  const weekdays = random() < 0.6 ? starOfDays(random, 0, 7) : anyField(random, 0, 7, DAYS, weekday)
  const fields = [...(seconds === undefined ? [] : [seconds]), minutes, hours, monthDays, months, weekdays]
  return {
    text: fields.map((field) => field.text).join(' '),
    seconds: flags(seconds?.values ?? [0], 60),
    minutes: flags(minutes.values, 60),
    hours: flags(hours.values, 24),
    fitsDay: remembered((day) => fits(calendarOf(day), monthDays, months, weekdays)),
    classic: fields.every((field) => field.classic !== false)
  }
}

function fits(date: Calendar, monthDays: Part, months: Part, weekdays: Part): boolean {
  if (!months.values.includes(date.month)) return false
  const fitsMonthDay = monthDays.values.includes(date.day) || monthDays.fitsDay?.(date) === true
  const fitsWeekday = weekdays.values.some((value) => value % 7 === date.weekday) || weekdays.fitsDay?.(date) === true
  const open = (part: Part) => part.text === '*' || part.text === '?'
  return open(monthDays) || open(weekdays) ? fitsMonthDay && fitsWeekday : fitsMonthDay || fitsWeekday
}

function anyField(random: Random, min: number, max: number, names: string[] = [], special?: typeof weekday): Part {
  const kind = random()
  if (kind < 0.15) return star(min, max)
  if (special !== undefined && kind < 0.35) return special(random)
  if (kind < 0.6) return anyPart(random, min, max, names)
  const parts = Array.from({ length: between(random, 2, 4) }, () =>
    special !== undefined && random() < 0.2 ? special(random) : anyPart(random, min, max, names)
  )
  return listOf(parts)
}

/** cron-parser takes no value twice, and # only alone. */
function listOf(parts: readonly Part[]): Part {
  const chosen: Part[] = []
  const taken = new Set<number>()
  for (const part of parts) {
    const again = part.values.some((value) => taken.has(value) || taken.has(value - 7) || taken.has(value + 7))
    if (again || part.text === 'LW' || chosen.some(({ text }) => text === part.text)) continue
    for (const value of part.values) taken.add(value)
    chosen.push(part)
  }
  if (chosen.length <= 1) return chosen[0] ?? (parts[0] as Part)
  return {
    text: chosen.map((part) => part.text).join(','),
    values: [...taken],
    fitsDay: (date) => chosen.some((part) => part.fitsDay?.(date) === true),
    ...(chosen.some((part) => part.classic === false || /[#L]/i.test(part.text.slice(1))) ? { classic: false } : {})
  }
}

function anyPart(random: Random, min: number, max: number, names: string[]): Part {
  const [from, to] = [between(random, min, max), between(random, min, max)].sort((a, b) => a - b) as [number, number]
  const named = random() < 0.3
  const text = (value: number) => (named ? names[value] : undefined) ?? String(value)
  const step = between(random, 1, Math.min(max, 31))
  switch (between(random, 0, 3)) {
    case 0:
      return { text: `*/${step}`, values: every(min, max, step) }
    case 1:
      return { text: text(from), values: [from] }
    default: {
      const stepped = random() < 0.5
      // Sunday as the end of a range comes last; for cron-parser it comes first.
      const classic = named && names === DAYS && (to === 7 || to === 0) ? ({ classic: false } as const) : {}
      const last = named && names === DAYS && to === 0 ? 1 : to
      return {
        text: `${text(from)}-${text(last)}${stepped ? `/${step}` : ''}`,
        values: every(from === 7 && named && names === DAYS ? 0 : from, last, stepped ? step : 1),
        ...classic
      }
    }
  }
}

function monthDay(random: Random): Part {
  const day = between(random, 1, 31)
  switch (between(random, 0, 2)) {
    case 0:
      return { text: 'L', values: [], fitsDay: (date) => date.day === date.lastDay }
    case 1: {
      return { text: 'LW', values: [], classic: false, fitsDay: (date) => date.day === nearest(date, date.lastDay) }
    }
    default:
      return {
        text: `${day}${pick(random, ['W', 'w'])}`,
        values: [],
        classic: false,
        fitsDay: (date) => day <= date.lastDay && date.day === nearest(date, day)
      }
  }
}

/** The day from Monday to Friday that is nearest to one, within its month. */
function nearest(date: Calendar, day: number): number {
  const away = [0, -1, 1, -2, 2].find((by) => {
    const weekdayThere = date.weekdayOf(day + by)
    return day + by >= 1 && day + by <= date.lastDay && weekdayThere !== 0 && weekdayThere !== 6
  })
  return day + (away as number)
}

function weekday(random: Random): Part {
  const day = between(random, 0, 7)
  const text = random() < 0.3 ? (DAYS[day] as string) : String(day)
  if (random() < 0.4) {
    return {
      text: `${text}L`,
      values: [],
      fitsDay: (date) => date.weekday === day % 7 && date.day + 7 > date.lastDay,
      // It takes the last letter of a name for a part of it.
      ...(text.length > 1 ? { classic: false } : {})
    }
  }
  const nth = between(random, 1, 5)
  return {
    text: `${text}#${nth}`,
    values: [],
    fitsDay: (date) => date.weekday === day % 7 && date.day > 7 * (nth - 1) && date.day <= 7 * nth
  }
}

const star = (min: number, max: number): Part => ({ text: '*', values: every(min, max, 1) })

const starOfDays = (random: Random, min: number, max: number): Part => ({
  ...star(min, max),
  text: random() < 0.1 ? '?' : '*'
})

function nightHours(random: Random): Part {
  const from = between(random, 0, 3)
  return pick<Part>(random, [
    { text: String(from), values: [from] },
    { text: `${from}-${from + 2}`, values: every(from, from + 2, 1) },
    { text: `0${from},23`, values: [from, 23] },
    { text: '0-23', values: every(0, 23, 1) },
    { text: '*/1', values: every(0, 23, 1) }
  ])
}

/** Days that every month has come along: with some months, others would never occur. */
function withoutImpossible(field: Part): Part {
  const some = field.values.some((value) => value <= 28) || /L|\b([1-9]|1\d|2[0-8])W/i.test(field.text)
  return some ? field : { text: '15', values: [15] }
}

function every(from: number, to: number, step: number): number[] {
  const values = []
  for (let value = from; value <= to; value += step) values.push(value)
  return values
}

function flags(values: readonly number[], length: number): boolean[] {
  return Array.from({ length }, (_, value) => values.includes(value))
}

function calendarOf(day: number): Calendar {
  const date = new Date(day * 86_400_000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return {
    month: month + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    lastDay: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
    weekdayOf: (other) => new Date(Date.UTC(year, month, other)).getUTCDay()
  }
}

function remembered(find: (day: number) => boolean): (day: number) => boolean {
  const known = new Map<number, boolean>()
  return (day) => {
    let found = known.get(day)
    if (found === undefined) {
      found = find(day)
      known.set(day, found)
    }
    return found
  }
}
