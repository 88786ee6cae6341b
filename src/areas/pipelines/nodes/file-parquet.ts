import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../data/relation.ts'
import { firstRow } from '../host/node-tools.ts'

/** A batch is read by the one statement that puts it through, so that it may be large where nothing slower is behind it. */
const MAX_BATCH_ROWS = 10_000_000
/** Of a batch that is sent to somebody, all is sent again after a crash. */
const MAX_SENT_ROWS = 100_000

/** A file that is read where it lies. */
export interface ParquetFile {
  readonly path: string
  readonly rows: number
  /** Where a batch that begins at this row ends: if possible where a row group does. */
  border(from: number): Promise<number>
  /** The rows from one to another, which is not among them. */
  select(from: number, to: number): string
}

export async function openParquet(database: DuckDBConnection, path: string, isBulk: boolean): Promise<ParquetFile> {
  const maxRows = isBulk ? MAX_BATCH_ROWS : MAX_SENT_ROWS
  const file = sqlText(path)
  const row = await firstRow(database, `SELECT num_rows FROM parquet_file_metadata(${file})`)
  const rows = Number(row?.num_rows ?? 0)
  return {
    path,
    rows,
    async border(from) {
      if (rows - from <= maxRows) return rows
      const found = await firstRow(
        database,
        `SELECT max(ends) AS ends FROM (SELECT sum(size) OVER (ORDER BY id) AS ends FROM
          (SELECT row_group_id AS id, any_value(row_group_num_rows) AS size FROM parquet_metadata(${file}) GROUP BY id))
          WHERE ends > ${from} AND ends <= ${from + maxRows}`
      )
      return Number(found?.ends ?? from + maxRows)
    },
    select(from, to) {
      if (from === 0 && to === rows) return `SELECT * FROM read_parquet(${file}, hive_partitioning = false)`
      return `SELECT * EXCLUDE (file_row_number) FROM read_parquet(${file}, hive_partitioning = false, file_row_number = true) WHERE file_row_number >= ${from} AND file_row_number < ${to}`
    }
  }
}
