import type { Clock } from '../engines/clock.ts'

const WINDOW_MS = 60_000
/** How many callers are counted one by one; further ones within the minute share one count. */
const MAX_CALLERS = 100_000

export interface Taken {
  readonly ok: boolean
  readonly remaining: number
  readonly resetSeconds: number
  /** Whether this is the first refusal of the caller in this minute. */
  readonly firstRefusal: boolean
}

/** Counts requests by the minute. All windows end together, so that forgetting old callers costs nothing. */
export function createRateLimiter(limitPerMinute: number, clock: Clock, name = 'default') {
  let counts = new Map<string, number>()
  let windowEndsMs = 0

  return {
    enabled: limitPerMinute > 0,
    name,
    policy: `"${name}";q=${limitPerMinute};w=60`,
    /** Whether the caller has no requests left; does not count as a request. */
    isUsedUp(caller: string): boolean {
      return clock.elapsed() < windowEndsMs && (counts.get(caller) ?? 0) >= limitPerMinute
    },
    take(caller: string): Taken {
      const now = clock.elapsed()
      if (now >= windowEndsMs) {
        counts = new Map()
        windowEndsMs = now - (now % WINDOW_MS) + WINDOW_MS
      }
      const key = counts.size < MAX_CALLERS || counts.has(caller) ? caller : 'others'
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return {
        ok: count <= limitPerMinute,
        remaining: Math.max(0, limitPerMinute - count),
        resetSeconds: Math.ceil((windowEndsMs - now) / 1000),
        firstRefusal: count === limitPerMinute + 1
      }
    }
  }
}

export type RateLimiter = ReturnType<typeof createRateLimiter>
