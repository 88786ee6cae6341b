import type { Block } from '../apply.ts'
import { batches } from '../batches.ts'
import { SqlError } from '../errors.ts'
import type { SqlValue, SqlWrite } from '../index.ts'
import { parseTableName, type TableName } from '../names.ts'
import type { MysqlConnection, Parameter } from './connection.ts'
import { declared } from './declare.ts'
import { quoteName, quoteTable } from './quote.ts'

/** The protocol can't count more parameters. */
const MAX_PARAMETERS = 65_535
const BATCH_ROWS = 2_000

/** Writes all rows in one transaction, if the engine of the table has transactions. */
export async function writeMysql(connection: MysqlConnection, request: SqlWrite): Promise<number> {
  const table = parseTableName(request.table)
  const { keys } = request
  if (request.create) await createTable(connection, table, request)
  if (keys !== undefined) await checkKeys(connection, table, keys)
  await connection.command('START TRANSACTION')
  await insertRows(connection, table, request, keys)
  await connection.command('COMMIT')
  return request.rows
}

export async function insertRows(
  connection: MysqlConnection,
  table: TableName,
  block: Block,
  keys: readonly string[] | undefined
): Promise<void> {
  const { columns, values } = block
  const names = columns.map(({ name }) => quoteName(name))
  const insert = `INSERT INTO ${quoteTable(table)} (${names.join(', ')}) VALUES `
  const updates = names.map((name) => `${name} = VALUES(${name})`)
  const replace = keys === undefined ? '' : ` ON DUPLICATE KEY UPDATE ${updates.join(', ')}`
  const tuple = `(${names.map(() => '?').join(',')})`
  const maxRows = Math.min(BATCH_ROWS, Math.floor(MAX_PARAMETERS / columns.length))
  if (maxRows === 0) throw new SqlError('invalid_query', `MySQL takes at most ${MAX_PARAMETERS} columns at once`)
  for (const [from, to] of batches(block, maxRows)) {
    const tuples = Array.from({ length: to - from }, () => tuple).join(',')
    await connection.run(`${insert}${tuples}${replace}`, parameters(values, from, to))
  }
}

/** The values of rows, row by row. */
export function parameters(values: readonly (readonly SqlValue[])[], from: number, to: number): Parameter[] {
  const flat: Parameter[] = []
  for (let row = from; row < to; row++) {
    for (const column of values) flat.push(parameterOf(column[row] ?? null))
  }
  return flat
}

function parameterOf(value: SqlValue): Parameter {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length)
  return value
}

/** Checks that a unique index has these keys: otherwise rows would be added where they should replace others. */
export async function checkKeys(connection: MysqlConnection, table: TableName, keys: readonly string[]): Promise<void> {
  const [name, schema] = [...table].reverse() as [string, string?]
  const rows = await connection.run(
    `SELECT s.index_name, s.column_name, s.sub_part FROM information_schema.statistics s
     WHERE s.table_schema = COALESCE(?, DATABASE()) AND s.table_name = ? AND s.non_unique = 0`,
    [schema ?? null, name]
  )
  const wanted = keys.map((key) => key.toLowerCase()).sort()
  const indexes = Map.groupBy(rows, ([index]) => index)
  for (const parts of indexes.values()) {
    const isWhole = parts.every(([, column, prefix]) => column !== null && prefix === null)
    const columns = parts.map(([, column]) => String(column).toLowerCase()).sort()
    if (isWhole && columns.length === wanted.length && columns.every((column, i) => column === wanted[i])) return
  }
  // Fails first where the table does not exist, which would seem to lack the index.
  await connection.columnsOf(`SELECT * FROM ${quoteTable(table)}`)
  throw new SqlError('invalid_query', `The table has no primary key or unique index of exactly ${keys.join(', ')}`)
}

export async function createTable(
  connection: MysqlConnection,
  table: TableName,
  request: Pick<SqlWrite, 'columns' | 'keys'>
): Promise<void> {
  const { columns, keys = [] } = request
  const definitions = columns.map(({ name, type, nullable }) => {
    const isKey = keys.includes(name)
    const isRequired = isKey || nullable === false
    return `${quoteName(name)} ${declared(type, isKey, connection.isMariadb)} ${isRequired ? 'NOT NULL' : 'NULL'}`
  })
  if (keys.length > 0) definitions.push(`PRIMARY KEY (${keys.map(quoteName).join(', ')})`)
  await connection.run(`CREATE TABLE IF NOT EXISTS ${quoteTable(table)} (${definitions.join(', ')})`)
}
