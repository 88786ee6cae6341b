import { isoOfNs, parseTime } from '../../../http/times.ts'
import type { TimeRange } from '../model/schema.ts'
import { type Fields, objectOf, textOf } from './reading.ts'
import type { Notes } from './report.ts'

/** What Grafana shows where a dashboard says nothing. */
const USUAL: TimeRange = { from: '-6h', to: 'now' }
const MAX_REFRESH_SECONDS = 86_400

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Seconds of `30s`, `5m` or `1d`; undefined for anything else. */
export function secondsOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|[smhdw])$/.exec(text) ?? []
  if (count === undefined || unit === undefined) return undefined
  const seconds = Number(count) * (unit === 'ms' ? 0.001 : (SECONDS[unit] as number))
  return seconds > 0 ? seconds : undefined
}

export function refreshOf(value: unknown, notes: Notes): number | null {
  const text = textOf(value)
  if (text === '') return null
  const seconds = secondsOf(text)
  if (seconds !== undefined && seconds >= 1 && seconds <= MAX_REFRESH_SECONDS) return Math.round(seconds)
  notes.add(`A refresh of ${text} is not known here: the dashboard is refreshed when asked to.`)
  return null
}

export function timeRangeOf(value: unknown, notes: Notes): TimeRange {
  const time = objectOf(value)
  if (textOf(time.from) === '' && textOf(time.to) === '') return USUAL
  const range = { from: timeOf(time, 'from', notes), to: timeOf(time, 'to', notes) }
  if (range.from === undefined || range.to === undefined || !isForward(range.from, range.to)) {
    notes.add(`The time range ${textOf(time.from)} to ${textOf(time.to)} is not known here: it is the last 6 hours.`)
    return USUAL
  }
  return { from: range.from, to: range.to }
}

function timeOf(time: Fields, end: 'from' | 'to', notes: Notes): string | undefined {
  const text = textOf(time[end])
  if (/^-?\d{9,15}$/.test(text)) return isoOfNs(BigInt(text) * 1_000_000n)
  const [, count, unit = 'd', rounded] = /^now(?:-(\d{1,9})([smhdwMQy]))?(\/(?:[smhdwMQy]|fQ|fy))?$/.exec(text) ?? []
  if (!text.startsWith('now')) return isoTime(text)
  if (count === undefined && rounded === undefined) return text === 'now' ? text : undefined
  if (rounded !== undefined) notes.add(`The time ${text} is taken without rounding it to whole units.`)
  if (count !== undefined) return Number(count) === 0 ? 'now' : relative(Number(count), unit)
  return end === 'to' ? 'now' : relative(1, (rounded as string).slice(-1))
}

function relative(count: number, unit: string): string {
  if (unit === 'Q') return `-${count * 3}mo`
  return `-${count}${unit === 'M' ? 'mo' : unit}`
}

/** Times without an offset are in UTC, as Grafana has them in its files. */
function isoTime(text: string): string | undefined {
  const spelled = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(' ', 'T')}Z` : text
  return parseTime(spelled, 0) === undefined || !/^\d/.test(spelled) ? undefined : spelled
}

const SOME_TIME_MS = Date.parse('2026-01-01T00:00:00Z')

function isForward(from: string, to: string): boolean {
  const [start, end] = [parseTime(from, SOME_TIME_MS), parseTime(to, SOME_TIME_MS)]
  if (start === undefined || end === undefined) return false
  // A time of the calendar and one that moves may come in either order, depending on the day.
  return /^\d/.test(from) !== /^\d/.test(to) || start < end
}

/** The range of its own that a panel has, from `timeFrom` (`2h`) and `timeShift` (`1d`). */
export function ownTimeRange(panel: Fields, notes: Notes): TimeRange | undefined {
  const from = textOf(panel.timeFrom).replace(/^now-/, '')
  const shift = textOf(panel.timeShift).replace(/^now-/, '')
  const length = secondsOf(from)
  const shifted = shift === '' ? 0 : secondsOf(shift)
  if (from === '' && shift === '') return undefined
  if (length === undefined || shifted === undefined) {
    const said = [from && `timeFrom ${from}`, shift && `timeShift ${shift}`].filter(Boolean).join(' and ')
    notes.add(`It shows the time of the dashboard: ${said} is left out.`)
    return undefined
  }
  const ago = (seconds: number) => (seconds === 0 ? 'now' : `-${Math.ceil(seconds)}s`)
  return { from: shifted === 0 && /^\d+[a-z]+$/.test(from) ? `-${from}` : ago(length + shifted), to: ago(shifted) }
}

export function timeZoneOf(value: unknown, notes: Notes): string {
  const zone = textOf(value)
  if (/^utc$/i.test(zone)) return 'UTC'
  if (zone === '' || zone === 'browser') {
    notes.add('Times were shown in the zone of whoever looks at them: they are shown in UTC.')
    return 'UTC'
  }
  if (/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(zone) && isZone(zone)) return zone
  notes.add(`The time zone ${zone} is not known here: times are shown in UTC.`)
  return 'UTC'
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
