import type { Segment } from '../segment.ts'
import { grown, type Measure } from './measure.ts'

/** The sum of what counters showed each time before they restarted from zero. */
export class Resets implements Measure {
  #lost = new Float64Array(0)
  #last = new Float64Array(0)

  reserve(rows: number): void {
    this.#lost = grown(this.#lost, rows)
    this.#last = grown(this.#last, rows)
  }

  add(row: number, known: number, segment: Segment, from: number, to: number): void {
    const { values } = segment
    let last = known === 0 ? (values[from] as number) : (this.#last[row] as number)
    let lost = this.#lost[row] as number
    for (let at = from; at < to; at++) {
      const value = values[at] as number
      if (value < last) lost += last
      last = value
    }
    this.#lost[row] = lost
    this.#last[row] = last
  }

  lost(row: number): number {
    return this.#lost[row] as number
  }
}
