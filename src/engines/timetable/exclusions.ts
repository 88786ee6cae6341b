import { checkDayOfYear, looksLikeDate, looksLikeDayOfYear, readDay, readMoment } from './moments.ts'
import { type Exclusion, TimingError, type Weekday } from './timing.ts'
import { MS_PER_DAY, readWindow } from './weekly-window.ts'

/** What excludes a moment, given that moment and what the clocks of the zone show at it. */
export type ExcludedBy = (atMs: number, wallMs: number) => Rule | undefined

export interface Rule {
  readonly words: string
  covers(atMs: number, wallMs: number): boolean
  /** How much longer it covers from a moment on that it covers, if nobody changes the clocks meanwhile. */
  lastsMs(atMs: number, wallMs: number): number
}

const MAX_EXCLUSIONS = 1000
const MAX_NAME_CHARS = 200

export function readExclusions(exclusions: readonly Exclusion[]): ExcludedBy {
  if (exclusions.length > MAX_EXCLUSIONS) {
    throw new TimingError('/exclusions', `There are ${exclusions.length} exclusions; ${MAX_EXCLUSIONS} are allowed`)
  }
  const rules = exclusions.map((exclusion, i) => readExclusion(exclusion, `/exclusions/${i}`))
  return (atMs, wallMs) => rules.find((rule) => rule.covers(atMs, wallMs))
}

/** All that an exclusion can have. */
interface Given {
  readonly name?: string | undefined
  readonly date?: string | undefined
  readonly days?: readonly Weekday[] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

function readExclusion(given: Given, pointer: string): Rule {
  const { name, ...rest } = given
  if (name === undefined) return readRule(rest, pointer)
  if (name.trim() === '' || name.length > MAX_NAME_CHARS) {
    throw new TimingError(`${pointer}/name`, `The name of an exclusion has 1 to ${MAX_NAME_CHARS} characters`)
  }
  const rule = readRule(rest, pointer)
  return { ...rule, words: `${name} (${rule.words})` }
}

function readRule({ date, days, from, to }: Given, pointer: string): Rule {
  if (date !== undefined) {
    if (days === undefined && from === undefined && to === undefined) return readDate(date, `${pointer}/date`)
    throw new TimingError(pointer, 'An exclusion with date has no days, from or to: write two exclusions')
  }
  if (days === undefined && from === undefined && to === undefined) {
    throw new TimingError(pointer, 'An exclusion has to say what it excludes: date, days, or from and to')
  }
  const hasYear = [from, to].some((text) => text !== undefined && /^\d{4}-/.test(text))
  if (!hasYear) return readWindow(days, from, to, pointer)
  if (days !== undefined) {
    throw new TimingError(pointer, 'With days, from and to are times of day such as 22:00 and 06:00')
  }
  if (from === undefined || to === undefined) {
    throw new TimingError(pointer, 'Moments and dates are given as from and to, both of them; endAt ends a schedule')
  }
  return looksLikeDate(from) || looksLikeDate(to) ? readDates(from, to, pointer) : readMoments(from, to, pointer)
}

function readDate(date: string, pointer: string): Rule {
  if (looksLikeDayOfYear(date)) {
    checkDayOfYear(date, pointer)
    // As in 2026-12-25T….
    return {
      words: date,
      covers: (_, wallMs) => new Date(wallMs).toISOString().slice(5, 10) === date,
      lastsMs: (_, wallMs) => (Math.floor(wallMs / MS_PER_DAY) + 1) * MS_PER_DAY - wallMs
    }
  }
  const day = readDay(date, pointer, ', or 12-25 for every year')
  return {
    words: date,
    covers: (_, wallMs) => Math.floor(wallMs / MS_PER_DAY) === day,
    lastsMs: (_, wallMs) => (day + 1) * MS_PER_DAY - wallMs
  }
}

function readDates(from: string, to: string, pointer: string): Rule {
  const first = readDay(from, `${pointer}/from`)
  const last = readDay(to, `${pointer}/to`)
  if (last < first) throw new TimingError(`${pointer}/to`, `${to} lies before ${from}: the first day comes first`)
  return {
    words: `${from} to ${to}`,
    covers: (_, wallMs) => wallMs >= first * MS_PER_DAY && wallMs < (last + 1) * MS_PER_DAY,
    lastsMs: (_, wallMs) => (last + 1) * MS_PER_DAY - wallMs
  }
}

function readMoments(from: string, to: string, pointer: string): Rule {
  const fromMs = readMoment(from, `${pointer}/from`)
  const toMs = readMoment(to, `${pointer}/to`)
  if (toMs <= fromMs) throw new TimingError(`${pointer}/to`, `${to} does not lie after ${from}`)
  return {
    words: `${from} to ${to}`,
    covers: (atMs) => atMs >= fromMs && atMs < toMs,
    lastsMs: (atMs) => toMs - atMs
  }
}
