import type { Segment } from '../segment.ts'
import { grown, type Measure } from './measure.ts'
import { sumOf } from './sums.ts'

/**
 * Means and squared distances from them. Each run is computed in two passes and then combined, which loses no digits.
 */
export class Spread implements Measure {
  #means = new Float64Array(0)
  #squares = new Float64Array(0)

  reserve(rows: number): void {
    this.#means = grown(this.#means, rows)
    this.#squares = grown(this.#squares, rows)
  }

  add(row: number, known: number, segment: Segment, from: number, to: number): void {
    const { values } = segment
    const more = to - from
    const mean = sumOf(values, from, to) / more
    let squares = 0
    for (let at = from; at < to; at++) {
      const distance = (values[at] as number) - mean
      squares += distance * distance
    }
    const apart = mean - (this.#means[row] as number)
    const total = known + more
    this.#means[row] = (this.#means[row] as number) + (apart * more) / total
    this.#squares[row] = (this.#squares[row] as number) + squares + apart * apart * ((known * more) / total)
  }

  /** The standard deviation of a sample of `count` points. */
  deviation(row: number, count: number): number {
    return count < 2 ? Number.NaN : Math.sqrt((this.#squares[row] as number) / (count - 1))
  }
}
