import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'

export interface Column {
  readonly name: string
  /** DuckDB's name of the type: `DOUBLE`. */
  readonly type: string
  /** No node speaks of it, and it is only there because some record has such a field: where it is NULL the record has none. */
  readonly isOptional?: boolean
}

/** The columns of a SELECT, without running it. */
export async function columnsOf(connection: DuckDBConnection, sql: string): Promise<Column[]> {
  const reader = await connection.runAndReadAll(`DESCRIBE ${sql}`)
  return reader.getRowObjects().map((row) => ({ name: String(row.column_name), type: String(row.column_type) }))
}

/** The same where columns may be bare NULLs, which DESCRIBE takes for numbers. */
export async function exactColumnsOf(connection: DuckDBConnection, sql: string): Promise<Column[]> {
  const columns = await columnsOf(connection, sql)
  if (!columns.some(({ type }) => type === 'INTEGER')) return columns
  const types = columns.map(({ name }) => `typeof(s.${sqlName(name)})`).join(', ')
  const reader = await connection.runAndReadAll(`SELECT ${types} FROM (SELECT 1) LEFT JOIN (${sql}) s ON false`)
  const [exact = []] = reader.getRows()
  return columns.map((column, i) => (exact[i] === NULL_TYPE ? { ...column, type: NULL_TYPE } : column))
}

/** What DuckDB calls the type of a bare NULL. */
const NULL_TYPE = '"NULL"'

export const columnList = (columns: readonly Column[]): string => columns.map(({ name }) => sqlName(name)).join(', ')

/** The same columns in the same order with the same types. */
export const signatureOf = (columns: readonly Column[]): string =>
  columns.map(({ name, type }) => `${name} ${type}`).join(',')

/** What types have in common whose values can be in one column without becoming others. */
export function familyOf(type: string): string {
  if (/^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*)$/.test(type)) return 'number'
  return type === 'DATE' || type.startsWith('TIMESTAMP') ? 'time' : type
}

/** A SELECT that has these columns and no rows. */
export function emptySelect(columns: readonly Column[]): string {
  if (columns.length === 0) return 'SELECT NULL AS "nothing" WHERE false'
  return `SELECT ${columns.map(({ name, type }) => `${nullOf(type)} AS ${sqlName(name)}`).join(', ')} WHERE false`
}

/** What SQL calls the type of a bare NULL can't be cast to. */
const nullOf = (type: string): string => (type === '"NULL"' ? 'NULL' : `NULL::${type}`)

/** Column types for a table: a column of nothing but NULL has to have some type there. */
export const tableColumns = (columns: readonly Column[]): string =>
  columns.map(({ name, type }) => `${sqlName(name)} ${type === '"NULL"' ? 'VARCHAR' : type}`).join(', ')
