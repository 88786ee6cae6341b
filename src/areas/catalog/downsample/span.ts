import { parseDuration } from '../../../http/times.ts'

/** Buckets of these are the same length everywhere, and begin at the epoch. */
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** How far the first run looks back: there is no due time before it. */
const FIRST_MS = 7 * 86_400_000

/** From `fromMs` up to but without `toMs`, both at the edge of a bucket. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

interface Asked {
  readonly dueMs: number
  readonly previousMs: number | null
  readonly everyMs: number
  readonly lagMs: number
}

/** The length of a duration; undefined for text that is none, and for units whose length is not always the same. */
export function lengthMs(text: string): number | undefined {
  const duration = parseDuration(text)
  const unitMs = duration && UNIT_MS[duration.unit]
  return duration === undefined || unitMs === undefined ? undefined : duration.count * unitMs
}

/** The whole buckets between a due time and the one before, so that runs one after another leave out nothing. */
export function spanOf({ dueMs, previousMs, everyMs, lagMs }: Asked): Span {
  const edge = (ms: number) => Math.floor(ms / everyMs) * everyMs
  const toMs = edge(dueMs - lagMs)
  return { fromMs: previousMs === null ? edge(toMs - FIRST_MS) : edge(previousMs - lagMs), toMs }
}

/** Divides a span into some of at most so many buckets. */
export function* piecesOf({ fromMs, toMs }: Span, everyMs: number, maxBuckets: number): Generator<Span> {
  for (let at = fromMs; at < toMs; at += maxBuckets * everyMs) {
    yield { fromMs: at, toMs: Math.min(at + maxBuckets * everyMs, toMs) }
  }
}
