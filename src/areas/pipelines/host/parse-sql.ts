import type { DuckDBConnection } from '@duckdb/node-api'
import type { ParsedSql } from '../../../data/sql-process/statement-check.ts'
import type { SqlPart } from '../nodes/node-type.ts'
import { enclosed } from '../nodes/sql-expression.ts'

/** The tree of a statement, which is not run. */
export async function parseSql(database: DuckDBConnection, statement: string): Promise<ParsedSql> {
  const reader = await database.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [statement])
  return JSON.parse(String(reader.value(0, 0))) as ParsedSql
}

/** A part of a configuration as a statement by itself. */
export const selectOf = ({ text, form }: SqlPart): string => (form === 'statement' ? text : `SELECT ${enclosed(text)}`)
