import type { DuckDBConnection } from '@duckdb/node-api'

/** Functions of several records. A name that also is one of an ordinary function, such as list_sum, is not among them. */
export async function aggregateNames(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const reader = await connection.runAndReadAll(
    `SELECT function_name FROM duckdb_functions() GROUP BY function_name HAVING bool_and(function_type = 'aggregate')`
  )
  return new Set(reader.getRows().map(([name]) => String(name)))
}
