import type { Segment } from '../segment.ts'
import { grown, type Measure } from './measure.ts'

/** Sums of runs of points, with compensation for rounding errors. */
export class Sums implements Measure {
  #sums = new Float64Array(0)
  #lost = new Float64Array(0)

  reserve(rows: number): void {
    this.#sums = grown(this.#sums, rows)
    this.#lost = grown(this.#lost, rows)
  }

  add(row: number, _known: number, segment: Segment, from: number, to: number): void {
    const more = sumOf(segment.values, from, to)
    const before = this.#sums[row] as number
    const sum = before + more
    const lost = Math.abs(before) >= Math.abs(more) ? before - sum + more : more - sum + before
    this.#sums[row] = sum
    this.#lost[row] = (this.#lost[row] as number) + lost
  }

  sum(row: number): number {
    const sum = this.#sums[row] as number
    return Number.isFinite(sum) ? sum + (this.#lost[row] as number) : sum
  }
}

/** Four sums in parallel: a processor adds to them at once, and each rounds less than one long chain would. */
export function sumOf(values: Float64Array, from: number, to: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let at = from
  for (const whole = from + ((to - from) & ~3); at < whole; at += 4) {
    a += values[at] as number
    b += values[at + 1] as number
    c += values[at + 2] as number
    d += values[at + 3] as number
  }
  for (; at < to; at++) a += values[at] as number
  return a + b + (c + d)
}
