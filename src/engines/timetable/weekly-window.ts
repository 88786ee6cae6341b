import type { Rule } from './exclusions.ts'
import { quoted, TimingError, type Weekday } from './timing.ts'

export const MS_PER_DAY = 86_400_000
const MS_PER_MINUTE = 60_000

/** From the day on which the epoch began. */
const DAYS: readonly Weekday[] = ['thu', 'fri', 'sat', 'sun', 'mon', 'tue', 'wed']

/** A part of each week: words for it, whether the clocks show a time that lies in it, and how much of it is left then. */
export function readWindow(
  days: readonly Weekday[] | undefined,
  from: string | undefined,
  to: string | undefined,
  pointer: string
): Rule {
  const begins = daysOf(days, `${pointer}/days`)
  const fromMs = from === undefined ? 0 : readTime(from, `${pointer}/from`)
  const toMs = to === undefined || to === '24:00' ? MS_PER_DAY : readTime(to, `${pointer}/to`)
  if (fromMs === toMs) {
    throw new TimingError(`${pointer}/to`, `from and to are both ${from}: leave them out for the whole day`)
  }
  const hours = from === undefined && to === undefined ? '' : `${from ?? '00:00'} to ${to ?? '24:00'}`
  return {
    words: [days?.join(', '), hours].filter(Boolean).join(' '),
    covers(_, wallMs) {
      const day = Math.floor(wallMs / MS_PER_DAY)
      const timeMs = wallMs - day * MS_PER_DAY
      if (fromMs < toMs) return begins(day) && timeMs >= fromMs && timeMs < toMs
      return (begins(day) && timeMs >= fromMs) || (begins(day - 1) && timeMs < toMs)
    },
    lastsMs(_, wallMs) {
      const timeMs = wallMs - Math.floor(wallMs / MS_PER_DAY) * MS_PER_DAY
      return timeMs < toMs ? toMs - timeMs : MS_PER_DAY - timeMs + toMs
    }
  }
}

function daysOf(days: readonly Weekday[] | undefined, pointer: string): (day: number) => boolean {
  if (days === undefined) return () => true
  const allowed = new Set(days.map((day) => DAYS.indexOf(day)))
  if (allowed.size === 0 || allowed.has(-1)) {
    throw new TimingError(pointer, 'Name at least one day of mon, tue, wed, thu, fri, sat and sun, or leave days out')
  }
  return (day) => allowed.has(((day % 7) + 7) % 7)
}

function readTime(text: string, pointer: string): number {
  const read = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (read === null) {
    throw new TimingError(
      pointer,
      `${quoted(text)} is no time of day: write hours and minutes from 00:00 to 23:59; an end may be 24:00`
    )
  }
  return (Number(read[1]) * 60 + Number(read[2])) * MS_PER_MINUTE
}
