import { StoreError } from './errors.ts'
import type { ByteRange } from './index.ts'

/** From `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The bytes that a range means; without a range, the whole object. */
export function spanOf(range: ByteRange | undefined, sizeBytes: number): Span {
  if (range === undefined) return { start: 0, end: sizeBytes }
  const start = 'last' in range ? Math.max(0, sizeBytes - range.last) : range.start
  const end = 'last' in range || range.end === undefined ? sizeBytes : Math.min(range.end + 1, sizeBytes)
  if (start < end) return { start, end }
  throw new StoreError('range_not_satisfiable', `The object has ${sizeBytes} bytes only`, { sizeBytes })
}
