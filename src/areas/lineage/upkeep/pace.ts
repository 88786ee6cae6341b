import { setTimeout } from 'node:timers/promises'

const MAX_REST_MS = 250

/** Does a piece of work, then rests for as long as it took, so that what other people wait for always comes in between. */
export type Pace = <T>(piece: () => Promise<T>) => Promise<T>

/** Fails after the piece in which the signal has aborted. */
export function paceOf(signal: AbortSignal): Pace {
  return async (piece) => {
    const startedMs = performance.now()
    const done = await piece()
    await setTimeout(Math.min(performance.now() - startedMs, MAX_REST_MS), undefined, { signal })
    return done
  }
}
