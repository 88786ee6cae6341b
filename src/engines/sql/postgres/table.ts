import { SqlError } from '../errors.ts'
import type { SqlColumn, SqlWrite } from '../index.ts'
import type { TableName } from '../names.ts'
import type { PostgresConnection } from './connection.ts'
import { quoteName, quoteTable } from './quote.ts'
import { DECLARED, typeOf } from './types.ts'

export interface TableColumn extends SqlColumn {
  /** The type as SQL without length or precision: an assignment checks those, a cast would cut the value. */
  readonly baseType: string
  /** The type as SQL with length and precision. */
  readonly fullType: string
  readonly isNumeric: boolean
}

const COLUMNS = `
  SELECT a.attname, coalesce(nullif(t.typbasetype, 0), t.oid), a.attnotnull,
    format_type(a.atttypid, -1), format_type(a.atttypid, a.atttypmod), t.typcategory = 'N'
  FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY a.attnum`

export async function columnsOf(connection: PostgresConnection, table: TableName): Promise<TableColumn[]> {
  const { rows } = await connection.run(COLUMNS, [quoteTable(table)])
  if (rows.length === 0)
    throw new SqlError('no_such_table', `There is no table ${table.join('.')}, or no right to see it`)
  return rows.map(([name, oid, notNull, baseType, fullType, isNumeric]) => ({
    name: name as string,
    type: typeOf(Number(oid)),
    nullable: notNull !== 't',
    baseType: baseType as string,
    fullType: fullType as string,
    isNumeric: isNumeric === 't'
  }))
}

export async function createTable(
  connection: PostgresConnection,
  table: TableName,
  request: Pick<SqlWrite, 'columns' | 'keys'>
): Promise<void> {
  const { columns, keys = [] } = request
  const known = await connection.run('SELECT to_regclass($1)', [quoteTable(table)])
  if (known.rows[0]?.[0] !== null) return
  const definitions = columns.map(({ name, type, nullable }) =>
    [quoteName(name), DECLARED[type], nullable === false ? 'NOT NULL' : ''].join(' ')
  )
  if (keys.length > 0) definitions.push(`PRIMARY KEY (${keys.map(quoteName).join(', ')})`)
  try {
    await connection.run(`CREATE TABLE IF NOT EXISTS ${quoteTable(table)} (${definitions.join(', ')})`)
  } catch (error) {
    // Two writers may make the same table at the same time; for one of them an index of the catalogue reports a
    // conflict.
    if (!(error instanceof SqlError) || error.code !== 'conflict') throw error
    throw new SqlError('unavailable', 'The table is being made by somebody else right now; try again')
  }
}
