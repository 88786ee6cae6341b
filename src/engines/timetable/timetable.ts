import { dueAt, firstOfCron } from './cron-dues.ts'
import { readExclusions } from './exclusions.ts'
import { FIRST_MS, LAST_MS, readMoment } from './moments.ts'
import { type Due, type Timetable, type Timing, TimingError } from './timing.ts'
import { wallTimesOf } from './wall-times.ts'
import { type Zone, zoneNamed } from './zone.ts'

/** The first due time at or after a moment. */
type First = (fromMs: number) => Due | undefined

const MAX_EVERY_SECONDS = 31_536_000

/** Throws a TimingError where the timing makes no sense. */
export function timetableOf(timing: Timing): Timetable {
  const zone = zoneNamed(timing.timeZone)
  const startMs = timing.startAt === undefined ? FIRST_MS : readMoment(timing.startAt, '/startAt')
  const endMs = timing.endAt === undefined ? LAST_MS + 1 : readMoment(timing.endAt, '/endAt')
  if (timing.startAt !== undefined && endMs <= startMs) {
    throw new TimingError('/endAt', `endAt ${timing.endAt} does not lie after startAt ${timing.startAt}`)
  }
  const first = firstOf(timing, zone, startMs, endMs)
  const excludedBy = readExclusions(timing.exclusions)
  return {
    next(afterMs) {
      const fromMs = Math.max(Math.floor(afterMs) + 1, startMs)
      const due = fromMs < endMs ? first(fromMs) : undefined
      if (due === undefined || due.atMs >= endMs) return undefined
      const excluded = excludedBy(due.atMs, due.atMs + zone.stretchAt(due.atMs).offsetMs)?.words
      return excluded === undefined ? due : { ...due, excluded }
    }
  }
}

function firstOf(timing: Timing, zone: Zone, startMs: number, endMs: number): First {
  const { cron, everySeconds, at } = timing
  if ([cron, everySeconds, at].filter((given) => given !== undefined).length !== 1) {
    throw new TimingError('', 'Give exactly one of cron, everySeconds and at')
  }
  if (cron !== undefined) {
    const times = wallTimesOf(cron)
    return (fromMs) => firstOfCron(times, zone, timing.dst, fromMs)
  }
  if (everySeconds !== undefined) return firstOfEvery(everySeconds, zone, startMs)
  return firstAt(at as string, startMs, endMs)
}

function firstOfEvery(seconds: number, zone: Zone, anchorMs: number): First {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_EVERY_SECONDS) {
    throw new TimingError(
      '/everySeconds',
      `everySeconds is a whole number from 1 to ${MAX_EVERY_SECONDS}, which is a year; this is ${seconds}`
    )
  }
  const everyMs = seconds * 1000
  return (fromMs) => {
    const atMs = anchorMs + Math.ceil((fromMs - anchorMs) / everyMs) * everyMs
    return atMs > LAST_MS ? undefined : dueAt(atMs, zone.stretchAt(atMs), true)
  }
}

function firstAt(at: string, startMs: number, endMs: number): First {
  const atMs = readMoment(at, '/at')
  if (atMs < startMs || atMs >= endMs) {
    throw new TimingError('/at', `${at} is never due: it lies before startAt, or not before endAt`)
  }
  return (fromMs) => (atMs >= fromMs ? { atMs } : undefined)
}
