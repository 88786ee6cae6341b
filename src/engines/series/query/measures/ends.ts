import { NS_PER_DAY } from '../../parse/points.ts'
import type { Segment } from '../segment.ts'
import { grown, type Measure } from './measure.ts'

type Exact = (string | bigint | undefined)[]

/** The first and the last point of each bucket. */
export class Ends implements Measure {
  readonly first = new Points()
  readonly last = new Points()

  reserve(rows: number): void {
    this.first.reserve(rows)
    this.last.reserve(rows)
  }

  add(row: number, known: number, segment: Segment, from: number, to: number): void {
    if (known === 0) this.first.set(row, segment, from)
    this.last.set(row, segment, to - 1)
  }

  secondsBetween(row: number): number {
    const days = (this.last.days[row] as number) - (this.first.days[row] as number)
    return (days * NS_PER_DAY + (this.last.ns[row] as number) - (this.first.ns[row] as number)) / 1e9
  }

  delta(row: number): number {
    return (this.last.values[row] as number) - (this.first.values[row] as number)
  }
}

/** One point for each row. */
class Points {
  days = new Float64Array(0)
  ns = new Float64Array(0)
  values = new Float64Array(0)
  /** Undefined as long as all values are plain doubles. */
  exact: Exact | undefined

  reserve(rows: number): void {
    this.days = grown(this.days, rows)
    this.ns = grown(this.ns, rows)
    this.values = grown(this.values, rows)
  }

  set(row: number, segment: Segment, at: number): void {
    this.days[row] = segment.day
    this.ns[row] = segment.ns[at] as number
    this.values[row] = segment.values[at] as number
    const exact = segment.exact?.[at]
    if (exact !== undefined) this.exact ??= []
    if (this.exact !== undefined) this.exact[row] = exact
  }
}
