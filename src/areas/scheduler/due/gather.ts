import type { Timetable } from '../../../engines/timetable/index.ts'
import { jitterMs } from '../../../engines/timetable/index.ts'
import type { FiredDue } from './decide.ts'

export interface Gathered {
  readonly dues: readonly FiredDue[]
  /** The first due time after them; undefined where there is none any more. */
  readonly next: FiredDue | undefined
}

/**
 * The due times from `fromMs` on whose time has come, at most `limit`; where `next` is one of them too, there are more.
 */
export function gather(
  timetable: Timetable,
  { seed, jitterSeconds }: { readonly seed: string; readonly jitterSeconds: number },
  fromMs: number,
  nowMs: number,
  limit: number
): Gathered {
  const dues: FiredDue[] = []
  let next = nextFired(timetable, seed, jitterSeconds, fromMs - 1)
  while (next !== undefined && next.fireMs <= nowMs && dues.length < limit) {
    dues.push(next)
    next = nextFired(timetable, seed, jitterSeconds, next.atMs)
  }
  return { dues, next }
}

/** The first due time after a moment, with the jitter that it always has. */
export function nextFired(
  timetable: Timetable,
  seed: string,
  jitterSeconds: number,
  afterMs: number
): FiredDue | undefined {
  const due = timetable.next(afterMs)
  if (due === undefined) return undefined
  return { ...due, fireMs: due.atMs + (jitterSeconds === 0 ? 0 : jitterMs(seed, due.atMs, jitterSeconds)) }
}
