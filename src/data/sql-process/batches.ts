import type { DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api'
import { DataError } from '../errors.ts'
import type { DataRow, Reduced } from './messages.ts'
import { toDataValue } from './row-values.ts'
import { sizeOf } from './value-size.ts'

/** Small enough for the server to read one between two requests. */
const BATCH_BYTES = 256 * 1024
const BATCH_ROWS = 1000
const MAX_ROW_BYTES = 8 * 1024 * 1024

/** How an answer ended. */
export interface Ended {
  /** Whether there were more rows than allowed. */
  readonly truncated: boolean
  readonly reduced: Reduced | null
}

/** Batches of rows, read as they are asked for. */
export async function* batchesOf(result: DuckDBResult, maxRows: number): AsyncGenerator<DataRow[], Ended> {
  let rowCount = 0
  let batch: DataRow[] = []
  let batchBytes = 0
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const row of rowsOf(chunk)) {
      if (rowCount === maxRows) {
        if (batch.length > 0) yield batch
        return { truncated: true, reduced: null }
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
  return { truncated: false, reduced: null }
}

/** Rows that are all there, in batches that are small enough. */
export function* inBatches(rows: Iterable<DataRow>): Generator<DataRow[]> {
  let batch: DataRow[] = []
  let batchBytes = 0
  for (const row of rows) {
    batch.push(row)
    batchBytes += checkedSizeOf(row)
    if (batch.length < BATCH_ROWS && batchBytes < BATCH_BYTES) continue
    yield batch
    batch = []
    batchBytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Yields one row at a time: rows may be large, and not all of a chunk may be wanted. */
export function* rowsOf(chunk: DuckDBDataChunk): Generator<DataRow> {
  const vectors = Array.from({ length: chunk.columnCount }, (_, index) => chunk.getColumnVector(index))
  for (let row = 0; row < chunk.rowCount; row++) yield vectors.map((vector) => toDataValue(vector.getItem(row)))
}

function checkedSizeOf(row: DataRow): number {
  const bytes = sizeOf(row)
  if (bytes <= MAX_ROW_BYTES) return bytes
  throw new DataError('row_too_large', `A row has about ${bytes} bytes; ${MAX_ROW_BYTES} can be answered.`)
}
