import type { Segment } from '../segment.ts'
import { grown, type Measure } from './measure.ts'

/** Where clocks are set back over midnight, a bucket can go on after the next one began, but not after two. */
const OPEN_ROWS = 2

/** Exact quantiles. The values of a bucket are kept until no more can come. */
export class Quantiles implements Measure {
  readonly #shares: readonly number[]
  readonly #columns: Float64Array[]
  #open: OpenRow[] = []

  constructor(shares: readonly number[]) {
    this.#shares = shares
    this.#columns = shares.map(() => new Float64Array(0))
  }

  reserve(rows: number): void {
    this.#shares.forEach((_, place) => {
      this.#columns[place] = grown(this.#columns[place] as Float64Array, rows)
    })
  }

  add(row: number, _known: number, segment: Segment, from: number, to: number): void {
    let open = this.#open.find((candidate) => candidate.row === row)
    if (open === undefined) {
      const settled = this.#open.length < OPEN_ROWS ? undefined : this.#open.shift()
      if (settled !== undefined) this.#settle(settled)
      open = { row, length: 0, values: settled?.values ?? new Float64Array(64) }
      this.#open.push(open)
    }
    const length = open.length + to - from
    if (length > open.values.length) open.values = grown(open.values, Math.max(length, 2 * open.values.length))
    open.values.set(segment.values.subarray(from, to), open.length)
    open.length = length
  }

  /** One of the quantiles, by row. */
  quantiles(share: number): Float64Array {
    for (const open of this.#open) this.#settle(open)
    this.#open = []
    return this.#columns[this.#shares.indexOf(share)] as Float64Array
  }

  #settle(open: OpenRow): void {
    const sorted = open.values.subarray(0, open.length).sort()
    this.#shares.forEach((share, place) => {
      const column = this.#columns[place] as Float64Array
      column[open.row] = quantile(sorted, share)
    })
  }
}

interface OpenRow {
  readonly row: number
  length: number
  values: Float64Array
}

/** Linear interpolation between the two closest ranks. */
function quantile(sorted: Float64Array, share: number): number {
  const rank = share * (sorted.length - 1)
  const below = Math.floor(rank)
  const low = sorted[below] as number
  const high = sorted[Math.ceil(rank)] as number
  return low + (high - low) * (rank - below)
}
