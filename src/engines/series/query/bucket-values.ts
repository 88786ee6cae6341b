import { Ends } from './measures/ends.ts'
import { Maxima, Minima } from './measures/extremes.ts'
import type { Measure } from './measures/measure.ts'
import { Quantiles } from './measures/quantiles.ts'
import { Resets } from './measures/resets.ts'
import { Spread } from './measures/spread.ts'
import { Sums } from './measures/sums.ts'
import type { SeriesFunction } from './plan.ts'

const SHARES: Partial<Record<SeriesFunction, number>> = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 }

type Exact = (string | bigint | undefined)[] | undefined

/** The measures that a set of functions needs, and the values of the functions computed from them. */
export class BucketValues {
  readonly measures: readonly Measure[]
  readonly #sums: Sums | undefined
  readonly #minima: Minima | undefined
  readonly #maxima: Maxima | undefined
  readonly #ends: Ends | undefined
  readonly #resets: Resets | undefined
  readonly #spread: Spread | undefined
  readonly #quantiles: Quantiles | undefined

  constructor(functions: readonly SeriesFunction[]) {
    const wants = (...names: SeriesFunction[]) => functions.some((name) => names.includes(name))
    const shares = functions.flatMap((name) => SHARES[name] ?? [])
    this.#sums = wants('avg', 'sum') ? new Sums() : undefined
    this.#minima = wants('min') ? new Minima() : undefined
    this.#maxima = wants('max') ? new Maxima() : undefined
    this.#ends = wants('first', 'last', 'delta', 'rate') ? new Ends() : undefined
    this.#resets = wants('rate') ? new Resets() : undefined
    this.#spread = wants('stddev') ? new Spread() : undefined
    this.#quantiles = shares.length > 0 ? new Quantiles(shares) : undefined
    const all = [this.#sums, this.#minima, this.#maxima, this.#ends, this.#resets, this.#spread, this.#quantiles]
    this.measures = all.filter((measure) => measure !== undefined)
  }

  /** The values of a function by row; NaN where it has none. */
  column(name: SeriesFunction, counts: Float64Array): Float64Array {
    const share = SHARES[name]
    if (share !== undefined) return this.#asked(this.#quantiles).quantiles(share).subarray(0, counts.length)
    return name === 'count' ? counts : counts.map((count, row) => this.#value(name, row, count))
  }

  exact(name: SeriesFunction): Exact {
    return name === 'first' || name === 'last' ? this.#asked(this.#ends)[name].exact : undefined
  }

  #value(name: SeriesFunction, row: number, count: number): number {
    switch (name) {
      case 'avg':
        return this.#asked(this.#sums).sum(row) / count
      case 'sum':
        return this.#asked(this.#sums).sum(row)
      case 'min':
        return this.#asked(this.#minima).least(row)
      case 'max':
        return this.#asked(this.#maxima).greatest(row)
      case 'stddev':
        return this.#asked(this.#spread).deviation(row, count)
      case 'delta':
        return count < 2 ? Number.NaN : this.#asked(this.#ends).delta(row)
      case 'rate':
        return this.#rate(row)
      default:
        return this.#asked(this.#ends)[name === 'last' ? 'last' : 'first'].values[row] as number
    }
  }

  #rate(row: number): number {
    const ends = this.#asked(this.#ends)
    const seconds = ends.secondsBetween(row)
    return seconds > 0 ? (ends.delta(row) + this.#asked(this.#resets).lost(row)) / seconds : Number.NaN
  }

  #asked<T>(measure: T | undefined): T {
    if (measure === undefined) throw new Error('This function was not asked for')
    return measure
  }
}
