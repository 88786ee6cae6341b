import type { DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api'
import { DataError } from '../errors.ts'
import type { DataRow } from './messages.ts'
import { sizeOf, toDataValue } from './row-values.ts'

/** Small enough for the server to read one between two requests. */
const BATCH_BYTES = 256 * 1024
const BATCH_ROWS = 1000
const MAX_ROW_BYTES = 8 * 1024 * 1024

/** Batches of rows, read as they are asked for; the return value tells whether there were more than `maxRows`. */
export async function* batchesOf(result: DuckDBResult, maxRows: number): AsyncGenerator<DataRow[], boolean> {
  let rowCount = 0
  let batch: DataRow[] = []
  let batchBytes = 0
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const row of rowsOf(chunk)) {
      if (rowCount === maxRows) {
        if (batch.length > 0) yield batch
        return true
      }
      rowCount++
      batch.push(row)
      batchBytes += checkedSizeOf(row)
      if (batch.length < BATCH_ROWS && batchBytes < BATCH_BYTES) continue
      yield batch
      batch = []
      batchBytes = 0
    }
  }
  if (batch.length > 0) yield batch
  return false
}

/** Yields one row at a time: rows may be large, and not all of a chunk may be wanted. */
function* rowsOf(chunk: DuckDBDataChunk): Generator<DataRow> {
  const vectors = Array.from({ length: chunk.columnCount }, (_, index) => chunk.getColumnVector(index))
  for (let row = 0; row < chunk.rowCount; row++) yield vectors.map((vector) => toDataValue(vector.getItem(row)))
}

function checkedSizeOf(row: DataRow): number {
  const bytes = sizeOf(row)
  if (bytes <= MAX_ROW_BYTES) return bytes
  throw new DataError('row_too_large', `A row has about ${bytes} bytes; ${MAX_ROW_BYTES} can be answered.`)
}
