/** When something is to be done. Exactly one of `cron`, `everySeconds` and `at` is given. */
export interface Timing {
  /** What may be written is said in cron-text.ts. */
  readonly cron?: string | undefined
  /** From 1 to a year; counted from `startAt`, or else from the epoch, so that replicas and restarts agree. */
  readonly everySeconds?: number | undefined
  /** Once, at this moment. */
  readonly at?: string | undefined
  /** A name of the IANA database. An offset is refused: it would be wrong for half of the year in most places. */
  readonly timeZone: string
  /** What becomes of times that daylight saving takes away or repeats; the table is in cron-dues.ts. */
  readonly dst: 'skip' | 'once' | 'both'
  /** A moment; a due time at it counts. */
  readonly startAt?: string | undefined
  /** A moment; a due time at it does not count any more. */
  readonly endAt?: string | undefined
  readonly exclusions: readonly Exclusion[]
}

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'

export type Exclusion =
  /** A day in the zone: 2026-12-25, or 12-25 for that day of every year. */
  | { readonly name?: string | undefined; readonly date: string }
  /** Two moments, of which the second is outside, or two dates in the zone, both included. */
  | { readonly name?: string | undefined; readonly from: string; readonly to: string }
  /**
   * A part of the week in the zone: on these days (on all of them if none are given), from HH:MM (00:00) up to HH:MM
   * (24:00). Where it ends no later than it begins it crosses midnight, and the days are those on which it begins.
   */
  | {
      readonly name?: string | undefined
      readonly days?: readonly Weekday[] | undefined
      readonly from?: string | undefined
      readonly to?: string | undefined
    }

/** What daylight saving did to a due time. */
export type Effect =
  /** Its time did not exist that day: it is due when the clock was put forward. */
  | 'moved'
  /** Its time occurred twice, and it is due both times. */
  | 'first-of-two'
  | 'second-of-two'
  /** Its time occurred twice, and it is due the first time only. */
  | 'only-first'

export interface Due {
  readonly atMs: number
  /** The exclusion that it falls into, in words. */
  readonly excluded?: string
  readonly effect?: Effect
}

export interface Timetable {
  /** The first due time after a moment, excluded ones included and marked; undefined where there is none any more. */
  next(afterMs: number): Due | undefined
}

/** What is wrong with a timing, said to whoever wrote it. */
export class TimingError extends Error {
  /** JSON pointer into the timing. */
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

const MAX_QUOTED_CHARS = 60

/** What somebody wrote, for the sentence that refuses it. */
export function quoted(text: string): string {
  return `"${text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text}"`
}
