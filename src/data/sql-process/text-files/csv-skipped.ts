import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../relation.ts'

/** A character that no text has, so that each line is one field. */
const NO_DELIMITER = '\u0001'

/**
 * Whether lines that DuckDB would skip are rows. It skips lines at the beginning until all others have the same number of fields:
 * where the last line has one more, it takes that line for the data, and says nothing of a thousand rows. They are rows where there
 * are more of them than of others, and most of them have several fields; a title that stands before the data is none.
 */
export async function areRows(connection: DuckDBConnection, file: string, skipped: number, delimiter: string) {
  const lines = `read_csv(${sqlText(file)}, auto_detect = false, delim = ${sqlText(NO_DELIMITER)}, quote = '', escape = '', header = false, columns = {'line': 'VARCHAR'})`
  const reader = await connection.runAndReadAll(
    `SELECT count(*) FILTER (n <= ${skipped} AND contains(line, ${sqlText(delimiter)})), count(*) FILTER (n > ${skipped})
     FROM (SELECT line, row_number() OVER () AS n FROM (SELECT line FROM ${lines} LIMIT ${2 * skipped}))`
  )
  const [withFields = 0, after = 0] = (reader.getRows()[0] ?? []).map(Number)
  return withFields * 2 > skipped && after < skipped
}
