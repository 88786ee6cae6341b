import type { DuckDBConnection } from '@duckdb/node-api'
import type { DataColumn } from './messages.ts'

/** The columns of a SELECT. */
export async function columnsOf(connection: DuckDBConnection, sql: string): Promise<DataColumn[]> {
  const reader = await connection.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE ${sql})`)
  return reader.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }))
}
