import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../../data/relation.ts'
import { ROW } from '../../contract/source.ts'
import { firstRow } from '../../duckdb/database.ts'

/** A batch is read by the one statement that puts it through, so that it may be large where nothing slower is behind it. */
const MAX_BATCH_ROWS = 10_000_000
/** Rows of a batch that a sink sends to another system: after a crash all of them are sent again. */
const MAX_SENT_ROWS = 100_000
/** Bytes of a batch, and of the texts in it: numbers are packed closely wherever they are held, texts fill the memory. */
const MAX_BATCH_BYTES = 512 << 20
const MAX_TEXT_BYTES = 64 << 20

/** A file that is read where it lies. */
export interface ParquetFile {
  readonly path: string
  readonly rows: number
  /** Where a batch that begins at this row ends: if possible where a row group does. */
  border(from: number): number
  /** The rows from one to another, which is not among them, with their numbers from 0 in the column `ROW`. */
  select(from: number, to: number): string
  /** The same rows without their numbers. */
  selectPlain(from: number, to: number): string
}

export async function openParquet(
  database: DuckDBConnection,
  path: string,
  limits: { readonly isBulk: boolean; readonly maxRows?: number }
): Promise<ParquetFile> {
  const maxRows = Math.min(limits.isBulk ? MAX_BATCH_ROWS : MAX_SENT_ROWS, limits.maxRows ?? MAX_BATCH_ROWS)
  const file = sqlText(path)
  const row = await firstRow(database, `SELECT num_rows FROM parquet_file_metadata(${file})`)
  const rows = Number(row?.num_rows ?? 0)
  const groups = await rowGroups(database, file)
  const read = `FROM read_parquet(${file}, hive_partitioning = false`
  const within = (from: number, to: number) =>
    from === 0 && to === rows ? '' : ` WHERE file_row_number >= ${from} AND file_row_number < ${to}`
  return {
    path,
    rows,
    border: (from) => borderOf(groups, from, Math.min(rows, from + maxRows)),
    select: (from, to) =>
      `SELECT * EXCLUDE (file_row_number), file_row_number AS ${ROW} ${read}, file_row_number = true)${within(from, to)}`,
    selectPlain(from, to) {
      if (from === 0 && to === rows) return `SELECT * ${read})`
      return `SELECT * EXCLUDE (file_row_number) ${read}, file_row_number = true)${within(from, to)}`
    }
  }
}

interface RowGroups {
  readonly ends: Float64Array
  readonly bytes: Float64Array
  readonly textBytes: Float64Array
}

/** Texts that come again and again take little room in the file: how long they are, the greatest of them tells about. */
const TEXT_BYTES = `CASE WHEN type = 'BYTE_ARRAY' THEN greatest(total_uncompressed_size, num_values * coalesce(strlen(stats_max_value), 0)) ELSE 0 END`

async function rowGroups(database: DuckDBConnection, file: string): Promise<RowGroups> {
  const answer = await database.runAndReadAll(
    `SELECT sum(size) OVER (ORDER BY id)::DOUBLE AS ends, bytes, texts FROM (SELECT row_group_id AS id, any_value(row_group_num_rows) AS size,
       sum(total_uncompressed_size)::DOUBLE AS bytes, sum(${TEXT_BYTES})::DOUBLE AS texts FROM parquet_metadata(${file}) GROUP BY id) ORDER BY id`
  )
  const rows = answer.getRows()
  const column = (i: number) => Float64Array.from(rows, (row) => Number(row[i]))
  return { ends: column(0), bytes: column(1), textBytes: column(2) }
}

/** The end of the last row group up to which the batch is neither too long nor too large; at least one, or a part of one. */
function borderOf({ ends, bytes, textBytes }: RowGroups, from: number, most: number): number {
  let border = 0
  let [sum, texts] = [0, 0]
  for (let i = firstAfter(ends, from); i < ends.length && (ends[i] as number) <= most; i++) {
    sum += bytes[i] as number
    texts += textBytes[i] as number
    if (border > 0 && (sum > MAX_BATCH_BYTES || texts > MAX_TEXT_BYTES)) return border
    border = ends[i] as number
  }
  return border > 0 ? border : most
}

function firstAfter(ends: Float64Array, row: number): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] as number) > row) high = middle
    else low = middle + 1
  }
  return low
}
