import type { Series, SeriesFunction } from '../../../engines/series/index.ts'
import { labelsOf, type PointsCondition } from '../evaluation/points.ts'
import type { Failure, Found, LabelledReading, Labels } from '../evaluation/readings.ts'
import { type AnsweredPoint, ask, numberOf, toNs } from '../evaluation/windows.ts'
import { isMet } from '../rules/conditions.ts'
import type { WindowFunction } from '../rules/words.ts'
import { bucketMs, type Steps } from './steps.ts'

/** What has to be asked of buckets to tell the value of a window of several. */
const PARTS: Readonly<Record<WindowFunction, readonly [SeriesFunction, ...SeriesFunction[]]>> = {
  last: ['last'],
  avg: ['sum'],
  min: ['min'],
  max: ['max'],
  sum: ['sum'],
  count: ['count'],
  delta: ['first', 'last'],
  stddev: ['stddev'],
  rate: ['rate']
}

const MAX_POINTS = 1_000_000

interface Bucket {
  readonly startMs: number
  /** As many as functions were asked for. */
  readonly values: readonly number[]
  readonly points: number
}

/** A condition over the past: asked for once, in buckets. */
export class Past {
  readonly #condition: PointsCondition
  readonly #tags: { readonly labels: Labels; readonly buckets: readonly Bucket[]; from: number; to: number }[] = []

  private constructor(condition: PointsCondition) {
    this.#condition = condition
  }

  static async ask(
    series: Pick<Series, 'query'>,
    condition: PointsCondition,
    tags: readonly string[],
    { firstMs, stepMs, count }: Steps,
    signal: AbortSignal
  ): Promise<Past | Failure> {
    const functions = PARTS[condition.function]
    const query = {
      sourceId: condition.sourceId,
      tags,
      fromNs: toNs(firstMs - condition.windowMs),
      toNs: toNs(firstMs + (count - 1) * stepMs),
      bucket: { count: bucketMs(condition, stepMs), unit: 'ms' } as const,
      functions,
      limitPoints: MAX_POINTS
    }
    const past = new Past(condition)
    for (const { tag, points } of tags.length === 0 ? [] : await ask(series, query, signal)) {
      const buckets: Bucket[] = []
      for (const point of points) {
        const bucket = bucketOf(tag, point, functions)
        if ('error' in bucket) return bucket
        buckets.push(bucket)
      }
      past.#tags.push({ labels: labelsOf(condition.sourceId, tag), buckets, from: 0, to: 0 })
    }
    return past
  }

  /** What the condition said at a time; to be asked for one time after another. */
  at(timeMs: number): Found {
    const readings = this.#tags.map((tag): LabelledReading => {
      while ((tag.buckets[tag.to]?.startMs ?? timeMs) < timeMs) tag.to++
      while (tag.from < tag.to && (tag.buckets[tag.from] as Bucket).startMs < timeMs - this.#condition.windowMs)
        tag.from++
      const value = valueWithin(this.#condition.function, tag.buckets, tag.from, tag.to)
      const reading: LabelledReading['reading'] =
        value === undefined ? { kind: 'noData' } : { kind: 'value', value, isMet: isMet(this.#condition, value) }
      return { labels: tag.labels, reading, threshold: this.#condition.threshold }
    })
    return { readings, unmentioned: 'vanished' }
  }
}

function bucketOf(tag: string, point: AnsweredPoint, functions: readonly SeriesFunction[]): Bucket | Failure {
  const values: number[] = []
  for (const name of functions) {
    const given = functions.length === 1 ? point.value : point[name]
    const value = given === null || given === undefined ? Number.NaN : numberOf(tag, given)
    if (typeof value !== 'number') return value
    values.push(value)
  }
  return { startMs: Date.parse(point.time), values, points: Number(point.count) }
}

/** The value of the buckets from one on and up to another; undefined where there is none. */
function valueWithin(name: WindowFunction, buckets: readonly Bucket[], from: number, to: number): number | undefined {
  if (from === to) return name === 'count' ? 0 : undefined
  let [result, points] = [first(buckets[from]), 0]
  for (let at = from; at < to; at++) {
    const { values, points: own } = buckets[at] as Bucket
    const value = values[0] as number
    points += own
    if (at === from) continue
    if (name === 'min') result = Math.min(result, value)
    else if (name === 'max') result = Math.max(result, value)
    else if (name === 'sum' || name === 'count' || name === 'avg') result += value
    else if (name !== 'delta') result = value
  }
  if (name === 'avg') result /= points
  if (name === 'delta' && points < 2) return undefined
  if (name === 'delta') result = ((buckets[to - 1] as Bucket).values[1] as number) - result
  return Number.isNaN(result) ? undefined : result
}

const first = (bucket: Bucket | undefined): number => bucket?.values[0] ?? Number.NaN
