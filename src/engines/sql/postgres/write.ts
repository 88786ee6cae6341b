import type { Block } from '../apply.ts'
import { batches } from '../batches.ts'
import { noSuchColumn } from '../errors.ts'
import type { SqlValue, SqlWrite } from '../index.ts'
import { parseTableName, type TableName } from '../names.ts'
import type { PostgresConnection, TextResult } from './connection.ts'
import { quoteName, quoteTable } from './quote.ts'
import { columnsOf, createTable, type TableColumn } from './table.ts'
import { DECLARED } from './types.ts'

const BATCH_ROWS = 20_000

/**
 * Writes all rows in one transaction. A column is sent as one array of texts, which PostgreSQL casts to the column's
 * type.
 */
export async function writePostgres(
  connection: PostgresConnection,
  request: SqlWrite,
  timeoutMs: number
): Promise<number> {
  const table = parseTableName(request.table)
  await connection.begin('write', timeoutMs)
  if (request.create) await createTable(connection, table, request)
  const targets = await targetsOf(connection, table, request)
  await runBatches(connection, insertStatement(table, targets, request.keys), targets, request)
  await connection.run('COMMIT')
  return request.rows
}

/** Runs a statement over rows, a part of them at a time: it gets one array of texts for each column. Answers what it answered. */
export async function runBatches(
  connection: PostgresConnection,
  statement: string,
  targets: readonly TableColumn[],
  block: Pick<Block, 'values' | 'rows'>
): Promise<TextResult[]> {
  const results: TextResult[] = []
  for (const [from, to] of batches(block, BATCH_ROWS)) {
    const arrays = targets.map((target, i) => arrayLiteral(block.values[i]?.slice(from, to) ?? [], target.isNumeric))
    results.push(await connection.run(statement, arrays))
  }
  return results
}

/** The columns of the table that are written to. */
export async function targetsOf(
  connection: PostgresConnection,
  table: TableName,
  { columns }: Pick<SqlWrite, 'columns'>
): Promise<TableColumn[]> {
  const known = new Map((await columnsOf(connection, table)).map((column) => [column.name, column]))
  return columns.map(({ name, type }) => {
    const target = known.get(name)
    if (target === undefined) {
      throw noSuchColumn(
        table,
        name,
        `ALTER TABLE ${quoteTable(table)} ADD COLUMN ${quoteName(name)} ${DECLARED[type]};`
      )
    }
    return target
  })
}

/** What `runBatches` gives a statement, as rows `u` of `c0`, `c1` and so on, numbered by `n`. */
export function givenRows(targets: readonly TableColumn[]): string {
  const arrays = targets.map((_, i) => `$${i + 1}::text[]`)
  const columns = [...targets.map((_, i) => `c${i}`), 'n']
  return `unnest(${arrays.join(', ')}) WITH ORDINALITY AS u (${columns.join(', ')})`
}

export function insertStatement(
  table: TableName,
  targets: readonly TableColumn[],
  keys: readonly string[] | undefined
): string {
  const names = targets.map(({ name }) => quoteName(name))
  const casts = targets.map(({ baseType }, i) => `c${i}::${baseType}`)
  const rows = givenRows(targets)
  const insert = `INSERT INTO ${quoteTable(table)} (${names.join(', ')}) SELECT`
  if (keys === undefined) return `${insert} ${casts.join(', ')} FROM ${rows} ORDER BY n`
  // A statement may not touch a row twice, so duplicates are removed first. The types of the columns decide which
  // keys are equal.
  const identity = targets
    .flatMap(({ name, fullType }, i) => (keys.includes(name) ? [`c${i}::${fullType}`] : []))
    .join(', ')
  const last = `SELECT DISTINCT ON (${identity}) * FROM ${rows} ORDER BY ${identity}, n DESC`
  const updates = names
    .filter((_, i) => !keys.includes(targets[i]?.name ?? ''))
    .map((name) => `${name} = EXCLUDED.${name}`)
  const action = updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`
  const conflict = `ON CONFLICT (${keys.map(quoteName).join(', ')}) DO ${action}`
  return `${insert} ${casts.join(', ')} FROM (${last}) AS u ${conflict}`
}

/** An array as a PostgreSQL literal. */
function arrayLiteral(values: readonly SqlValue[], isNumeric: boolean): string {
  return `{${values.map((value) => element(value, isNumeric)).join(',')}}`
}

function element(value: SqlValue, isNumeric: boolean): string {
  if (value === null) return 'NULL'
  switch (typeof value) {
    case 'string':
      return `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`
    case 'boolean':
      return isNumeric ? String(Number(value)) : String(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return String(value)
    default:
      return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}"`
  }
}
