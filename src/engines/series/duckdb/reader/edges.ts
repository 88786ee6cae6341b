import { NS_PER_DAY } from '../../parse/points.ts'
import { bucketsBetween } from '../../query/buckets.ts'
import type { BucketPlan, Query, SeriesFunction } from '../../query/plan.ts'

const MS_PER_DAY = 86_400_000
const NS_PER_MS = 1_000_000

/** Functions that need to know the bucket of a point, but not its exact time. */
const TIMELESS: readonly SeriesFunction[] = [
  'avg',
  'min',
  'max',
  'sum',
  'count',
  'stddev',
  'median',
  'p90',
  'p95',
  'p99'
]

/** Where the buckets of a query begin and end, day by day, for queries that need no more of the points' times. */
export class Edges {
  readonly #query: Pick<Query, 'fromNs' | 'toNs'>
  readonly #plan: BucketPlan
  readonly #byDay = new Map<number, Float64Array>()

  private constructor(query: Pick<Query, 'fromNs' | 'toNs'>, plan: BucketPlan) {
    this.#query = query
    this.#plan = plan
  }

  /** Undefined where exact times are needed. Calendar buckets may be interrupted by others, so they need them too. */
  static of(query: Pick<Query, 'fromNs' | 'toNs' | 'functions'>, plan: BucketPlan | undefined): Edges | undefined {
    if (plan?.kind !== 'fixed' || !query.functions.every((name) => TIMELESS.includes(name))) return undefined
    return new Edges(query, plan)
  }

  /** Nanoseconds into the day: the beginning of the range, of each bucket in it, and the end of the range. */
  ofDay(day: number): Float64Array {
    let edges = this.#byDay.get(day)
    if (edges === undefined) {
      edges = this.#find(day)
      this.#byDay.set(day, edges)
    }
    return edges
  }

  #find(day: number): Float64Array {
    const dayNs = BigInt(day) * BigInt(NS_PER_DAY)
    const within = (time: bigint) => Number(time - dayNs < 0n ? 0n : time - dayNs)
    const from = within(this.#query.fromNs)
    const to = Math.min(within(this.#query.toNs), NS_PER_DAY)
    const starts = bucketsBetween(this.#plan, dayNs + BigInt(from), dayNs + BigInt(to))
    const inside = Array.from(starts, (ms) => (ms - day * MS_PER_DAY) * NS_PER_MS).filter((ns) => ns > from && ns < to)
    return Float64Array.from([from, ...inside, to])
  }
}
