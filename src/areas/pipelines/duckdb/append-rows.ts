import { type DuckDBConnection, DuckDBDataChunk, type DuckDBType, type DuckDBValue } from '@duckdb/node-api'

/** As many rows as DuckDB has in a vector. */
const VECTOR_ROWS = 2048

/** Fills a table, vector by vector, with what `cell` answers for each column and row. */
export async function appendRows(
  database: DuckDBConnection,
  { schema, name }: { readonly schema: string; readonly name: string },
  types: readonly DuckDBType[],
  rows: number,
  cell: (column: number, row: number) => DuckDBValue
): Promise<void> {
  const appender = await database.createAppender(name, 'main', schema)
  for (let from = 0; from < rows; from += VECTOR_ROWS) {
    const count = Math.min(VECTOR_ROWS, rows - from)
    const chunk = DuckDBDataChunk.create([...types], count)
    for (const column of types.keys()) {
      const values = Array.from({ length: count }, (_, i) => cell(column, from + i))
      chunk.setColumnValues(column, values)
    }
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}
