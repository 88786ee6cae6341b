import type { Block } from './apply.ts'
import { sizeOf } from './chunk.ts'
import { BATCH_BYTES } from './limits.ts'

/** Divides the rows into batches `from` to `to` (exclusive), so that no statement gets too large. */
export function* batches(
  { values, rows }: Pick<Block, 'values' | 'rows'>,
  maxRows: number,
  maxBytes = BATCH_BYTES
): Generator<[number, number]> {
  let from = 0
  let bytes = 0
  for (let row = 0; row < rows; row++) {
    let size = 0
    for (const column of values) size += sizeOf(column[row] ?? null)
    if (row > from && (row - from >= maxRows || bytes + size > maxBytes)) {
      yield [from, row]
      from = row
      bytes = 0
    }
    bytes += size
  }
  if (rows > from) yield [from, rows]
}
