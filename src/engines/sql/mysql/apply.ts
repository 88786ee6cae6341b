import { type Block, foldChanges } from '../apply.ts'
import { batches } from '../batches.ts'
import { noSuchColumn } from '../errors.ts'
import type { Applied, SqlApply } from '../index.ts'
import { parseTableName, type TableName } from '../names.ts'
import type { MysqlConnection } from './connection.ts'
import { declared } from './declare.ts'
import { quoteName, quoteTable } from './quote.ts'
import { comparable, type Field } from './types.ts'
import { checkKeys, createTable, insertRows, parameters } from './write.ts'

/** So many rows are looked for by their index; with more the server may rather read the whole table. */
const DELETED_AT_ONCE = 500

/** Does all changes in one transaction, if the engine of the table has transactions. */
export async function applyMysql(connection: MysqlConnection, request: SqlApply): Promise<Applied> {
  const table = parseTableName(request.table)
  const { keys } = request
  const { isEmptied, deleted, put, partial } = foldChanges(request)
  if (request.create) await createTable(connection, table, request)
  await checkKeys(connection, table, keys)
  const fields = await fieldsOf(connection, table, request)
  await connection.command('START TRANSACTION')
  // TRUNCATE would be committed at once.
  if (isEmptied) await connection.run(`DELETE FROM ${quoteTable(table)}`)
  await deleteRows(connection, table, fields, deleted)
  await insertRows(connection, table, put, keys)
  let absent = 0
  for (const block of partial) absent += await updateRows(connection, { table, fields, keys }, block)
  await connection.command('COMMIT')
  return { absent }
}

/** The columns of the table by the names that they are written by. */
async function fieldsOf(
  connection: MysqlConnection,
  table: TableName,
  { columns, keys }: SqlApply
): Promise<ReadonlyMap<string, Field>> {
  const fields = await connection.columnsOf(`SELECT * FROM ${quoteTable(table)}`)
  const known = new Map(fields.map((field) => [field.name.toLowerCase(), field]))
  return new Map(
    columns.map(({ name, type }) => {
      const field = known.get(name.toLowerCase())
      if (field !== undefined) return [name, field]
      const column = `${quoteName(name)} ${declared(type, keys.includes(name), connection.isMariadb)}`
      throw noSuchColumn(table, name, `ALTER TABLE ${quoteTable(table)} ADD COLUMN ${column};`)
    })
  )
}

async function deleteRows(
  connection: MysqlConnection,
  table: TableName,
  fields: ReadonlyMap<string, Field>,
  block: Block
): Promise<void> {
  const one = `(${sameKeys(
    fields,
    block.columns.map(({ name }) => name)
  )})`
  for (const [from, to] of batches(block, DELETED_AT_ONCE)) {
    const any = Array.from({ length: to - from }, () => one).join(' OR ')
    await connection.run(`DELETE FROM ${quoteTable(table)} WHERE ${any}`, parameters(block.values, from, to))
  }
}

/**
 * Row by row: a statement for many would have to insert them, which the server refuses where a column that stays as it is needs a
 * value. Answers how many are not there.
 */
async function updateRows(
  connection: MysqlConnection,
  into: {
    readonly table: TableName
    readonly fields: ReadonlyMap<string, Field>
    readonly keys: readonly string[]
  },
  { columns, values, rows }: Block
): Promise<number> {
  const { table, fields, keys } = into
  const names = columns.map(({ name }) => name)
  const others = names.filter((name) => !keys.includes(name))
  const valuesOf = (wanted: readonly string[]) => wanted.map((name) => values[names.indexOf(name)] ?? [])
  const [set, found] = [valuesOf(others), valuesOf(keys)]
  const where = `WHERE ${sameKeys(fields, keys)}`
  const sets = others.map((name) => `${quoteName(name)} = ?`).join(', ')
  let absent = 0
  for (let row = 0; row < rows; row++) {
    const key = parameters(found, row, row + 1)
    const there = await connection.run(`SELECT 1 FROM ${quoteTable(table)} ${where} FOR UPDATE`, key)
    if (there.length === 0) absent += 1
    else if (sets !== '') {
      await connection.run(`UPDATE ${quoteTable(table)} SET ${sets} ${where}`, [
        ...parameters(set, row, row + 1),
        ...key
      ])
    }
  }
  return absent
}

/** Numbers and times are compared as such: as texts they would be compared as doubles, and some would be taken for others. */
function sameKeys(fields: ReadonlyMap<string, Field>, keys: readonly string[]): string {
  return keys.map((key) => `${quoteName(key)} = ${comparable(fields.get(key) as Field) ?? '?'}`).join(' AND ')
}
