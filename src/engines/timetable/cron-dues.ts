import type { Due, Effect, Timing } from './timing.ts'
import type { WallTimes } from './wall-times.ts'
import type { Stretch, Zone } from './zone.ts'

// What the clocks of a zone show is not always there, and is there twice at times:
//
//                               skip                 once                 both
//   not there (spring)          not due              due when the clock was put forward: `moved`
//   there twice (autumn)        due the first time: `only-first`          due both times: `first-of-two`, `second-of-two`
//
// All that one change took away, and what is due at that moment anyway, is due once. An expression that allows every
// hour follows the time that passes instead, whatever is chosen: nothing of it is moved, and it is due both times. Else
// what is done every 5 minutes would not be done for an hour.

/** The first due time of an expression at or after a moment. */
export function firstOfCron(times: WallTimes, zone: Zone, dst: Timing['dst'], fromMs: number): Due | undefined {
  const repeats = times.everyHour || dst === 'both'
  const moves = !times.everyHour && dst !== 'skip'
  const first = remembering(times)
  let stretch = zone.stretchAt(fromMs)
  let beginMs = fromMs
  for (;;) {
    const { startMs, offsetMs, beforeMs } = stretch
    const changedMs = startMs + beforeMs
    let wallMs = beginMs + offsetMs
    if (beginMs === startMs && moves && offsetMs > beforeMs) {
      const missing = first(changedMs)
      if (missing !== undefined && missing < startMs + offsetMs) return { atMs: startMs, effect: 'moved' }
    }
    if (!repeats) wallMs = Math.max(wallMs, changedMs)
    const found = first(wallMs)
    if (found === undefined) return undefined
    const atMs = found - offsetMs
    if (atMs < stretch.endMs) return dueAt(atMs, stretch, repeats)
    beginMs = stretch.endMs
    stretch = zone.stretchAt(beginMs)
  }
}

/** A due time that is not moved, with what is to be said of it. */
export function dueAt(atMs: number, stretch: Stretch, repeats: boolean): Due {
  const effect = effectAt(atMs, stretch, repeats)
  return effect === undefined ? { atMs } : { atMs, effect }
}

function effectAt(atMs: number, stretch: Stretch, repeats: boolean): Effect | undefined {
  const wallMs = atMs + stretch.offsetMs
  if (wallMs >= stretch.endMs + stretch.afterMs) return repeats ? 'first-of-two' : 'only-first'
  return wallMs < stretch.startMs + stretch.beforeMs ? 'second-of-two' : undefined
}

/** Asks only where the last answer does not tell: a search can lead through the stretches of many years. */
function remembering(times: WallTimes): WallTimes['first'] {
  let askedMs = Number.POSITIVE_INFINITY
  let found: number | undefined
  return (fromMs) => {
    if (fromMs < askedMs || (found !== undefined && fromMs > found)) {
      askedMs = fromMs
      found = times.first(fromMs)
    }
    return found
  }
}
