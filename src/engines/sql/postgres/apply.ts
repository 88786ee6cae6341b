import { type Block, foldChanges } from '../apply.ts'
import type { Applied, SqlApply } from '../index.ts'
import { parseTableName, type TableName } from '../names.ts'
import type { PostgresConnection } from './connection.ts'
import { quoteName, quoteTable } from './quote.ts'
import { createTable, type TableColumn } from './table.ts'
import { givenRows, insertStatement, runBatches, targetsOf } from './write.ts'

/** Does all changes in one transaction. */
export async function applyPostgres(
  connection: PostgresConnection,
  request: SqlApply,
  timeoutMs: number
): Promise<Applied> {
  const table = parseTableName(request.table)
  const { isEmptied, deleted, put, partial } = foldChanges(request)
  await connection.begin('write', timeoutMs)
  if (request.create) await createTable(connection, table, request)
  const known = new Map((await targetsOf(connection, table, request)).map((target) => [target.name, target]))
  const targetsIn = ({ columns }: Block) => columns.map(({ name }) => known.get(name) as TableColumn)
  // TRUNCATE would need a right of its own, and be refused where other tables refer to this one.
  if (isEmptied) await connection.run(`DELETE FROM ${quoteTable(table)}`)
  await runBatches(connection, deleteStatement(table, targetsIn(deleted)), targetsIn(deleted), deleted)
  await runBatches(connection, insertStatement(table, targetsIn(put), request.keys), targetsIn(put), put)
  let absent = 0
  for (const block of partial) {
    const statement = updateStatement(table, targetsIn(block), request.keys)
    absent += block.rows
    for (const { rows } of await runBatches(connection, statement, targetsIn(block), block))
      absent -= Number(rows[0]?.[0])
  }
  await connection.run('COMMIT')
  return { absent }
}

function deleteStatement(table: TableName, keys: readonly TableColumn[]): string {
  return `DELETE FROM ${quoteTable(table)} AS t USING ${givenRows(keys)} WHERE ${sameKeys(keys, keys)}`
}

/** Answers how many rows there were. */
function updateStatement(table: TableName, targets: readonly TableColumn[], keys: readonly string[]): string {
  const sets = targets.flatMap(({ name, baseType }, i) =>
    keys.includes(name) ? [] : [`${quoteName(name)} = u.c${i}::${baseType}`]
  )
  const isKey = ({ name }: TableColumn) => keys.includes(name)
  const rows = `${givenRows(targets)} WHERE ${sameKeys(targets, targets.filter(isKey))}`
  if (sets.length === 0) return `SELECT count(*) FROM ${quoteTable(table)} AS t, ${rows}`
  const update = `UPDATE ${quoteTable(table)} AS t SET ${sets.join(', ')} FROM ${rows} RETURNING 1`
  return `WITH found AS (${update}) SELECT count(*) FROM found`
}

/** Whether a row of the table `t` has the keys of a given one, as the column keeps them: rounded, but never cut. */
function sameKeys(targets: readonly TableColumn[], keys: readonly TableColumn[]): string {
  return keys
    .map((key) => {
      const type = key.type === 'text' ? key.baseType : key.fullType
      return `t.${quoteName(key.name)} = u.c${targets.indexOf(key)}::${type}`
    })
    .join(' AND ')
}
