import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import type { Column } from '../nodes/node-type.ts'

/** The columns of a SELECT, without running it. */
export async function columnsOf(connection: DuckDBConnection, sql: string): Promise<Column[]> {
  const reader = await connection.runAndReadAll(`DESCRIBE ${sql}`)
  return reader.getRowObjects().map((row) => ({ name: String(row.column_name), type: String(row.column_type) }))
}

export const columnList = (columns: readonly Column[]): string => columns.map(({ name }) => sqlName(name)).join(', ')

/** The same columns in the same order with the same types. */
export const signatureOf = (columns: readonly Column[]): string =>
  columns.map(({ name, type }) => `${name} ${type}`).join(',')

/** A SELECT that has these columns and no rows. */
export function emptySelect(columns: readonly Column[]): string {
  return `SELECT ${columns.map(({ name, type }) => `${nullOf(type)} AS ${sqlName(name)}`).join(', ')} WHERE false`
}

/** What SQL calls the type of a bare NULL can't be cast to. */
const nullOf = (type: string): string => (type === '"NULL"' ? 'NULL' : `NULL::${type}`)

/** Column types for a table: a column of nothing but NULL has to have some type there. */
export const tableColumns = (columns: readonly Column[]): string =>
  columns.map(({ name, type }) => `${sqlName(name)} ${type === '"NULL"' ? 'VARCHAR' : type}`).join(', ')

/** Columns of records that went through JSON, with the types that they had before. */
export function typedAs(
  before: readonly Column[],
  now: readonly Column[]
): { list: string; columns: readonly Column[] } {
  const types = new Map(before.map(({ name, type }) => [name.toLowerCase(), type]))
  const typed = now.map(({ name, type }) => {
    const known = types.get(name.toLowerCase())
    return known === undefined || known === '"NULL"' ? { name, type } : { name, type: known }
  })
  const list = typed.map(({ name, type }) => {
    return type === '"NULL"' ? `NULL AS ${sqlName(name)}` : `${sqlName(name)}::${type} AS ${sqlName(name)}`
  })
  return { list: list.join(', '), columns: typed }
}
