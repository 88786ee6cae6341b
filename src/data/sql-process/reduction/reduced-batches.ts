import type { DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api'
import { batchesOf, type Ended, inBatches, rowsOf } from '../batches.ts'
import type { DataRow, DataValue, Reduction } from '../messages.ts'
import { isoOfCount } from '../row-values.ts'
import { Buckets } from './buckets.ts'
import { numbersOf, type TimedColumns, textAt, timedColumnsOf, timeHalvesOf } from './columns.ts'
import { type Grouped, groupedOf } from './grouped.ts'

/** Runs another statement with the parameters of the question; undefined where DuckDB can't read it. */
export type Again = (sql: string) => Promise<DuckDBResult | undefined>

/** When DuckDB is asked to look at the rows itself, which takes less of its time than to hand them all out. */
export interface Patience {
  /** Of fewer rows, it is not worth to begin again. */
  readonly rows: number
  /** Nor where so many took longer: the time until then is lost. */
  readonly withinMs: number
}

const PATIENCE: Patience = { rows: 262_144, withinMs: 250 }
const NEVER: Patience = { rows: Number.POSITIVE_INFINITY, withinMs: 0 }

interface Question {
  readonly sql: string
  readonly maxRows: number
  readonly reduction: Reduction
  readonly again: Again
  readonly patience?: Patience
}

/**
 * Batches of what a picture needs of an answer over time; all rows where there are no more than it has points, and where the
 * answer can't be drawn over time. However many rows there are, they are looked at here, one chunk after the other; where there
 * are very many, and they come fast, by DuckDB itself.
 */
export async function* reducedBatches(result: DuckDBResult, question: Question): AsyncGenerator<DataRow[], Ended> {
  const { maxRows, reduction } = question
  const startMs = performance.now()
  const columns = timedColumnsOf(result)
  if (columns === undefined) return yield* batchesOf(result, maxRows)
  const few: DuckDBDataChunk[] = []
  let count = 0
  const most = Math.min(reduction.maxPoints, maxRows)
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    few.push(chunk)
    count += chunk.rowCount
    if (count <= most) continue
    return yield* reducedRows(result, few, columns, question, startMs)
  }
  for (const chunk of few) yield* inBatches(rowsOf(chunk))
  return { truncated: false, reduced: null }
}

async function* reducedRows(
  result: DuckDBResult,
  begun: readonly DuckDBDataChunk[],
  columns: TimedColumns,
  question: Question,
  startMs: number
): AsyncGenerator<DataRow[], Ended> {
  const { maxRows, reduction } = question
  const { maxPoints, maxSeries, spanMs } = reduction
  const buckets = new Buckets({ maxPoints, maxRows, maxSeries }, columns.numbers.length, spanMs * columns.unitsPerMs)
  const looked = await look(result, begun, columns, buckets, question, startMs)
  const rows = [...rowsIn(buckets, columns, result.columnCount)]
  yield* inBatches(rows)
  return { truncated: buckets.isCut, reduced: { from: looked, to: rows.length } }
}

/** Looks at all rows, and says how many there were. */
async function look(
  result: DuckDBResult,
  begun: readonly DuckDBDataChunk[],
  columns: TimedColumns,
  buckets: Buckets,
  question: Question,
  startMs: number
): Promise<number> {
  const { rows, withinMs } = question.patience ?? PATIENCE
  let looked = 0
  // DuckDB makes the next chunk while one is looked at.
  let coming = result.fetchChunk()
  for (const chunk of begun) looked += take(buckets, chunk, columns)
  for (let chunk = await coming; chunk !== null && chunk.rowCount > 0; chunk = await coming) {
    coming = result.fetchChunk()
    coming.catch(() => {}) // it is told when it is its turn
    const before = looked
    looked += take(buckets, chunk, columns)
    if (looked < rows || before >= rows || buckets.isCut || performance.now() - startMs > withinMs) continue
    const grouped = groupedOf(question.sql, result, columns, buckets.width)
    if (grouped === undefined) continue
    await coming
    buckets.clear()
    return beginAgain(grouped, columns, buckets, question)
  }
  return looked
}

/** Has DuckDB look at the rows of each bucket, from the first one on. */
async function beginAgain(
  { sql, columns: places, count }: Grouped,
  columns: TimedColumns,
  buckets: Buckets,
  question: Question
): Promise<number> {
  const result = await question.again(sql)
  if (result === undefined) {
    const whole = (await question.again(question.sql)) as DuckDBResult
    return look(whole, [], columns, buckets, { ...question, patience: NEVER }, 0)
  }
  let looked = 0
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    take(buckets, chunk, places)
    for (const counted of numbersOf(chunk, count)) if (!Number.isNaN(counted)) looked += counted
  }
  return looked
}

/** Says how many rows there were. */
function take(buckets: Buckets, chunk: DuckDBDataChunk, { time, numbers, texts }: TimedColumns): number {
  const halves = timeHalvesOf(chunk, time)
  const values = numbers.map((place) => numbersOf(chunk, place))
  if (texts.length === 0) {
    buckets.add('[]', halves, values, chunk.rowCount)
    return chunk.rowCount
  }
  const series = new Map<string, number[]>()
  for (let row = 0; row < chunk.rowCount; row++) {
    const name = JSON.stringify(texts.map((place) => textAt(chunk, place, row)))
    const rows = series.get(name)
    if (rows === undefined) series.set(name, [row])
    else rows.push(row)
  }
  for (const [name, rows] of series) buckets.add(name, halves, values, Uint32Array.from(rows))
  return chunk.rowCount
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
  const iso = isoOfCount(time, BigInt(Math.round(1_000_000 / columns.unitsPerMs)))
  row[columns.time] = columns.isDay ? iso.slice(0, iso.indexOf('T')) : iso
  for (const [at, place] of columns.numbers.entries()) {
    const value = values[at] as number
    row[place] = Number.isNaN(value) ? null : Number.isFinite(value) ? value : String(value)
  }
  for (const [at, place] of columns.texts.entries()) row[place] = texts[at] as string | null
  return row
}
