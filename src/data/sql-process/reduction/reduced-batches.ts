import type { DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api'
import { batchesOf, type Ended, inBatches, rowsOf } from '../batches.ts'
import type { DataRow, DataValue, Reduction } from '../messages.ts'
import { isoOfCount } from '../row-values.ts'
import { Buckets } from './buckets.ts'
import { numbersOf, type TimedColumns, textAt, timedColumnsOf, timeHalvesOf } from './columns.ts'

/**
 * Batches of what a picture needs of an answer over time; all rows where there are no more than it has points, and where the
 * answer can't be drawn over time. However many rows there are, they are looked at here, one chunk after the other.
 */
export async function* reducedBatches(
  result: DuckDBResult,
  maxRows: number,
  reduction: Reduction
): AsyncGenerator<DataRow[], Ended> {
  const columns = timedColumnsOf(result)
  if (columns === undefined) return yield* batchesOf(result, maxRows)
  const few: DuckDBDataChunk[] = []
  let count = 0
  const most = Math.min(reduction.maxPoints, maxRows)
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    few.push(chunk)
    count += chunk.rowCount
    if (count <= most) continue
    return yield* reducedRows(result, few, columns, maxRows, reduction)
  }
  for (const chunk of few) yield* inBatches(rowsOf(chunk))
  return { truncated: false, reduced: null }
}

async function* reducedRows(
  result: DuckDBResult,
  begun: readonly DuckDBDataChunk[],
  columns: TimedColumns,
  maxRows: number,
  { maxPoints, maxSeries, spanMs }: Reduction
): AsyncGenerator<DataRow[], Ended> {
  const room = { maxPoints, maxRows, maxSeries }
  const buckets = new Buckets(room, columns.numbers.length, spanMs * columns.unitsPerMs)
  // DuckDB makes the next chunk while one is looked at.
  let coming = result.fetchChunk()
  for (const chunk of begun) take(buckets, chunk, columns)
  for (let chunk = await coming; chunk !== null && chunk.rowCount > 0; chunk = await coming) {
    coming = result.fetchChunk()
    coming.catch(() => {}) // it is told when it is its turn
    take(buckets, chunk, columns)
  }
  const rows = [...rowsIn(buckets, columns, result.columnCount)]
  yield* inBatches(rows)
  return { truncated: buckets.isCut, reduced: { from: buckets.rowCount, to: rows.length } }
}

function take(buckets: Buckets, chunk: DuckDBDataChunk, { time, numbers, texts }: TimedColumns): void {
  const halves = timeHalvesOf(chunk, time)
  const values = numbers.map((place) => numbersOf(chunk, place))
  if (texts.length === 0) {
    buckets.add('[]', halves, values, chunk.rowCount)
    return
  }
  const series = new Map<string, number[]>()
  for (let row = 0; row < chunk.rowCount; row++) {
    const name = JSON.stringify(texts.map((place) => textAt(chunk, place, row)))
    const rows = series.get(name)
    if (rows === undefined) series.set(name, [row])
    else rows.push(row)
  }
  for (const [name, rows] of series) buckets.add(name, halves, values, Uint32Array.from(rows))
}

function* rowsIn(buckets: Buckets, columns: TimedColumns, width: number): Generator<DataRow> {
  for (const [name, rows] of buckets.rows()) {
    const texts = JSON.parse(name) as (string | null)[]
    for (const { time, values } of rows) yield rowFrom(width, columns, time, values, texts)
  }
}

/** What is neither time, number nor text is left out of a picture over time. */
function rowFrom(
  width: number,
  columns: TimedColumns,
  time: bigint,
  values: readonly number[],
  texts: readonly (string | null)[]
): DataRow {
  const row: DataValue[] = new Array(width).fill(null)
  row[columns.time] = isoOfCount(time, BigInt(Math.round(1_000_000 / columns.unitsPerMs)))
  for (const [at, place] of columns.numbers.entries()) {
    const value = values[at] as number
    row[place] = Number.isNaN(value) ? null : Number.isFinite(value) ? value : String(value)
  }
  for (const [at, place] of columns.texts.entries()) row[place] = texts[at] as string | null
  return row
}
