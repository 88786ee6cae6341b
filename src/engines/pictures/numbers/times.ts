const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30.44 * DAY
const YEAR = 365.25 * DAY
/** The farthest times that there are dates for. */
const FARTHEST_MS = 8.6e15
const MAX_STRETCHES = 100
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

type Unit = 'clock' | 'day' | 'month' | 'year'

/** `size` is in milliseconds for clocks, else in days, months or years; `ms` is how long that is, roughly. */
interface Step {
  readonly unit: Unit
  readonly size: number
  readonly ms: number
}

const steps = (unit: Unit, each: number, sizes: readonly number[]): Step[] =>
  sizes.map((size) => ({ unit, size: unit === 'clock' ? size * each : size, ms: size * each }))

const STEPS: readonly Step[] = [
  ...steps('clock', 1, [1, 2, 5, 10, 20, 50, 100, 200, 500]),
  ...steps('clock', SECOND, [1, 2, 5, 10, 15, 30]),
  ...steps('clock', MINUTE, [1, 2, 5, 10, 15, 30]),
  ...steps('clock', HOUR, [1, 2, 3, 6, 12]),
  ...steps('day', DAY, [1, 2, 7, 14]),
  ...steps('month', MONTH, [1, 2, 3, 6]),
  ...steps('year', YEAR, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 500_000])
]

export interface TimeTick {
  readonly ms: number
  readonly text: string
}

type Local = Temporal.ZonedDateTime

/** A zone that there is: the one that is named, or else UTC. */
function knownZone(name: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return 'UTC'
  }
}

/** A time that there is a date for. */
export const boundedTime = (ms: number): number => Math.min(FARTHEST_MS, Math.max(-FARTHEST_MS, Math.round(ms)))

const localAt = (ms: number, zone: string): Local =>
  Temporal.Instant.fromEpochMilliseconds(boundedTime(ms)).toZonedDateTimeISO(zone)

/** At most so many times within the span where a clock or calendar of the zone shows something round, in order. */
export function timeTicks(fromMs: number, toMs: number, timeZone: string, most: number): TimeTick[] {
  const zone = knownZone(timeZone)
  const [from, to] = [boundedTime(fromMs), boundedTime(toMs)]
  for (const step of STEPS) {
    if ((to - from) / step.ms > most) continue
    const found = step.unit === 'clock' ? clockTimes(from, to, zone, step.size) : dates(from, to, zone, step)
    if (found.length > most) continue
    return found.map((ms) => ({ ms, text: tickText(localAt(ms, zone), step) }))
  }
  return []
}

/** By the clocks of the zone in each stretch between two changes of them: an hour that comes twice has its ticks twice. */
function clockTimes(from: number, to: number, zone: string, size: number): number[] {
  const times: number[] = []
  let start = from
  for (let stretch = 0; start <= to && stretch < MAX_STRETCHES; stretch++) {
    const local = localAt(start, zone)
    const end = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY
    const offset = local.offsetNanoseconds / 1_000_000
    for (let at = Math.ceil((start + offset) / size) * size - offset; at <= to && at < end; at += size) times.push(at)
    start = end
  }
  return times
}

/** The beginnings of days, months or years. */
function dates(from: number, to: number, zone: string, step: Step): number[] {
  const times: number[] = []
  let date = firstDate(localAt(from, zone).toPlainDate(), step)
  for (;;) {
    const ms = date.toZonedDateTime(zone).epochMilliseconds
    if (ms > to) return times
    if (ms >= from) times.push(ms)
    const next = nextDate(date, step)
    if (next === undefined) return times
    date = next
  }
}

/** Weeks begin on Monday, years that are counted by fives with one that five divides. */
function firstDate(date: Temporal.PlainDate, { unit, size }: Step): Temporal.PlainDate {
  if (unit === 'year') {
    const year = Math.max(Math.floor(date.year / size) * size, -271_820)
    return Temporal.PlainDate.from({ year, month: 1, day: 1 })
  }
  if (unit === 'month') return date.with({ month: Math.floor((date.month - 1) / size) * size + 1, day: 1 })
  const epochDay = Math.round(Temporal.PlainDate.from('1970-01-05').until(date, { largestUnit: 'day' }).days)
  const back = ((epochDay % size) + size) % size
  return date.subtract({ days: back })
}

function nextDate(date: Temporal.PlainDate, { unit, size }: Step): Temporal.PlainDate | undefined {
  try {
    return date.add({ [`${unit}s`]: size })
  } catch {
    return undefined // the end of the calendar
  }
}

const two = (value: number) => String(value).padStart(2, '0')
const dayText = ({ month, day }: Local) => `${MONTHS[month - 1]} ${day}`

/** At midnight the day is told rather than the hour, in January the year. */
function tickText(local: Local, { unit, size }: Step): string {
  const { year, month, day, hour, minute, second, millisecond } = local
  if (unit === 'year') return String(year)
  if (unit === 'month') return month === 1 ? String(year) : (MONTHS[month - 1] as string)
  if (unit === 'day') return month === 1 && day === 1 ? String(year) : dayText(local)
  const isMidnight = hour + minute + second + millisecond === 0
  if (isMidnight) return dayText(local)
  if (size >= MINUTE) return `${two(hour)}:${two(minute)}`
  if (size >= SECOND || millisecond === 0) return `${two(hour)}:${two(minute)}:${two(second)}`
  return `${two(second)}.${String(millisecond).padStart(3, '0')}`
}

/** A time as it stands in a table. */
export function timeText(ms: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = localAt(ms, knownZone(timeZone))
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
}

/** From when to when, and by which clocks. */
export function rangeText(fromMs: number, toMs: number, timeZone: string): string {
  const zone = knownZone(timeZone)
  const [from, to] = [localAt(fromMs, zone), localAt(toMs, zone)]
  const clock = ({ hour, minute }: Local) => `${two(hour)}:${two(minute)}`
  const withYear = (local: Local) => `${dayText(local)}, ${local.year}`
  const isSameDay = from.toPlainDate().equals(to.toPlainDate())
  const end = isSameDay ? clock(to) : `${withYear(to)} ${clock(to)}`
  const start = from.year === to.year && !isSameDay ? dayText(from) : withYear(from)
  return `${start} ${clock(from)} – ${end} · ${zone}`
}
