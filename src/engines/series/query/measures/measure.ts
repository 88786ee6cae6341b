import type { Segment } from '../segment.ts'

/**
 * What is kept of each bucket to compute one or more functions. A bucket is a row; rows are numbered as they appear.
 */
export interface Measure {
  /** Makes room for so many rows. */
  reserve(rows: number): void
  /** Adds the points `[from, to)`, at least one, to a row that has `known` points already. */
  add(row: number, known: number, segment: Segment, from: number, to: number): void
}

export function grown(column: Float64Array, rows: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(rows)
  larger.set(column)
  return larger
}
