import type { Segment } from '../segment.ts'
import { grown, type Measure } from './measure.ts'

export class Minima implements Measure {
  #least = new Float64Array(0)

  reserve(rows: number): void {
    this.#least = grown(this.#least, rows)
  }

  add(row: number, known: number, segment: Segment, from: number, to: number): void {
    const { values } = segment
    let least = known === 0 ? Number.POSITIVE_INFINITY : (this.#least[row] as number)
    for (let at = from; at < to; at++) {
      const value = values[at] as number
      if (value < least) least = value
    }
    this.#least[row] = least
  }

  least(row: number): number {
    return this.#least[row] as number
  }
}

export class Maxima implements Measure {
  #greatest = new Float64Array(0)

  reserve(rows: number): void {
    this.#greatest = grown(this.#greatest, rows)
  }

  add(row: number, known: number, segment: Segment, from: number, to: number): void {
    const { values } = segment
    let greatest = known === 0 ? Number.NEGATIVE_INFINITY : (this.#greatest[row] as number)
    for (let at = from; at < to; at++) {
      const value = values[at] as number
      if (value > greatest) greatest = value
    }
    this.#greatest[row] = greatest
  }

  greatest(row: number): number {
    return this.#greatest[row] as number
  }
}
