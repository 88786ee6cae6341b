import type { SqlRead } from '../index.ts'
import type { Source } from '../requests.ts'
import { selectOf } from '../select.ts'
import type { PostgresConnection } from './connection.ts'
import { quoteName, quoteTable, quoteText } from './quote.ts'

/** What selects the rows of a request. Values stand in it as literals, because COPY takes no parameters. */
export async function statementFor(connection: PostgresConnection, source: Source, request: SqlRead): Promise<string> {
  const { cursor, limit } = request
  const inner = 'table' in source ? selectOf(quoteTable(source.table), request, { quoteName, quoteText }) : source.query
  if (cursor === undefined) return limit === undefined ? inner : `SELECT * FROM (\n${inner}\n) AS q LIMIT ${limit}`
  const column = `q.${quoteName(cursor.column)}`
  const isAfter = cursor.after === null ? `${column} IS NOT NULL` : `${column} > ${quoteText(cursor.after)}`
  const from = `FROM (\n${inner}\n) AS q WHERE ${isAfter}`
  const order = `ORDER BY ${column}`
  if (limit === undefined) return `SELECT q.* ${from} ${order}`
  // The cursor value of the last row within the limit; all rows with that value belong to the answer.
  const last = await connection.run(`SELECT ${column} ${from} ${order} LIMIT 1 OFFSET ${limit - 1}`)
  const end = last.rows[0]?.[0] ?? null
  if (end === null) return `SELECT q.* ${from} ${order}`
  return `SELECT q.* ${from} AND ${column} <= ${quoteText(end)} ${order}`
}
