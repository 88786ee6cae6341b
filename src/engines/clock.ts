/** The only source of time. Tests inject one they move by hand, so nothing in the suite sleeps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Milliseconds since some fixed moment: for measuring durations, because corrections of the clock do not change it.
   */
  elapsed(): number
  /** `now` as ISO 8601 UTC with milliseconds, the form in which every time is stored and answered. */
  iso(): string
  /** Calls back once after `ms`; the returned function cancels. A pending timer never keeps the process alive. */
  after(ms: number, callback: () => void): () => void
}

let isoCacheMs = Number.NaN
let isoCache = ''

/**
 * Remembers the last result: formatting a date costs more than the rest of a small insert, and many calls share one
 * millisecond.
 */
export function toIso(ms: number): string {
  if (ms !== isoCacheMs) {
    isoCache = new Date(ms).toISOString()
    isoCacheMs = ms
  }
  return isoCache
}

/** Node fires longer timers at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  iso: () => toIso(Date.now()),
  after(ms, callback) {
    let timer: NodeJS.Timeout
    const arm = (leftMs: number) => {
      const next = leftMs > MAX_TIMER_MS ? () => arm(leftMs - MAX_TIMER_MS) : callback
      timer = setTimeout(next, Math.min(leftMs, MAX_TIMER_MS))
      timer.unref()
    }
    arm(ms)
    return () => clearTimeout(timer)
  }
}
