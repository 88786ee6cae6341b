import type { DuckDBConnection } from '@duckdb/node-api'

let known: ReadonlySet<string> | undefined

/**
 * Functions of several records. A name that also is one of an ordinary function, such as list_sum, is not among them. They are
 * looked up once in a process, which takes longer than all else that is asked of an expression: no SQL of users makes a function.
 */
export async function aggregateNames(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  known ??= await lookUp(connection)
  return known
}

async function lookUp(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const reader = await connection.runAndReadAll(
    `SELECT function_name FROM duckdb_functions() GROUP BY function_name HAVING bool_and(function_type = 'aggregate')`
  )
  return new Set(reader.getRows().map(([name]) => String(name)))
}
