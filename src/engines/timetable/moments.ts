import { quoted, TimingError } from './timing.ts'

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DAY_OF_YEAR = /^\d{2}-\d{2}$/

const MS_PER_DAY = 86_400_000

/** Due times lie between these two. */
export const FIRST_MS = 0
export const LAST_MS = Date.UTC(3000, 0, 1) - 1

/** A moment in milliseconds. It has to carry its offset: otherwise it would mean another moment in each zone. */
export function readMoment(text: string, pointer: string): number {
  const ms = MOMENT.test(text) ? epochMs(() => Temporal.Instant.from(text.toUpperCase())) : undefined
  if (ms === undefined) {
    throw new TimingError(
      pointer,
      `${quoted(text)} is no moment: write one as 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00`
    )
  }
  if (ms < FIRST_MS || ms > LAST_MS) {
    throw new TimingError(pointer, `${quoted(text)} is too far away: the year has to lie between 1970 and 2999`)
  }
  return ms
}

export const looksLikeDate = (text: string): boolean => DATE.test(text)

/** The number of a day, counted from the epoch; `or` is what else could have been written. */
export function readDay(text: string, pointer: string, or = ''): number {
  const ms = DATE.test(text) ? epochMs(() => Temporal.Instant.from(`${text}T00:00Z`)) : undefined
  if (ms === undefined) throw new TimingError(pointer, `${quoted(text)} is no day: write one as 2026-12-25${or}`)
  return Math.floor(ms / MS_PER_DAY)
}

export const looksLikeDayOfYear = (text: string): boolean => DAY_OF_YEAR.test(text)

/** Checks a day of every year, such as 12-25; 02-29 is one that most years do not have. */
export function checkDayOfYear(text: string, pointer: string): void {
  if (!DAY_OF_YEAR.test(text) || epochMs(() => Temporal.Instant.from(`2000-${text}T00:00Z`)) === undefined) {
    throw new TimingError(
      pointer,
      `${quoted(text)} is no day of a year: write the month and the day, as 12-25 for Christmas`
    )
  }
}

function epochMs(read: () => Temporal.Instant): number | undefined {
  try {
    return read().epochMilliseconds
  } catch {
    return undefined
  }
}
