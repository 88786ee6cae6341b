import { type Timing, timetableOf } from '../../../engines/timetable/index.ts'
import { invalidField } from '../errors.ts'

const MAX_LOOKED_AT = 1000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A whole week of windows, also where the clock changes. */
const WINDOWS_MS = 8 * DAY_MS

/** Refuses exclusions that leave no due time that would ever run. */
export function requireSomeLeft(timing: Timing, nowMs: number): void {
  if (timing.exclusions.length === 0) return
  const timetable = timetableOf(timing)
  let afterMs = nowMs
  for (let looked = 0; looked < MAX_LOOKED_AT; looked++) {
    const due = timetable.next(afterMs)
    if (due === undefined) throw invalidField('/exclusions', 'must leave a due time to run: all to come are excluded')
    if (due.excluded === undefined) return
    afterMs = due.atMs
  }
  if (isLeftLater(timing, afterMs)) return
  throw invalidField('/exclusions', 'must leave a due time to run: the next 1,000 are excluded, and all that follow')
}

/**
 * Whether any is left once the exclusions that end are over. Those that come every week begin and end with a minute, so
 * that one due time of a minute stands for all of it: of due times every second, a weekend is more than anybody counts.
 */
function isLeftLater(timing: Timing, lookedMs: number): boolean {
  const timetable = timetableOf(timing)
  const fromMs = Math.max(lookedMs, lastEndMs(timing.exclusions))
  let afterMs = fromMs
  for (let looked = 0; looked < MAX_LOOKED_AT || afterMs < fromMs + WINDOWS_MS; looked++) {
    const due = timetable.next(afterMs)
    // It ends before: what lies between was not looked at.
    if (due === undefined || due.excluded === undefined) return true
    afterMs = Math.max(due.atMs, (Math.floor(due.atMs / MINUTE_MS) + 1) * MINUTE_MS - 1)
  }
  return false
}

/** In whatever zone: a day or two more do no harm. */
function lastEndMs(exclusions: Timing['exclusions']): number {
  const ends = exclusions.map((exclusion) => {
    const end = 'date' in exclusion ? exclusion.date : 'to' in exclusion ? exclusion.to : undefined
    return end !== undefined && /^\d{4}-/.test(end) ? Date.parse(end) + 2 * DAY_MS : 0
  })
  return Math.max(0, ...ends)
}
