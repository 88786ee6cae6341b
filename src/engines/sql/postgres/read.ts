import { SqlError } from '../errors.ts'
import type { SqlChunk, SqlColumn, SqlRead, SqlValue } from '../index.ts'
import { CHUNK_BYTES } from '../limits.ts'
import { type Bounds, type Source, sourceOf } from '../requests.ts'
import type { Watch } from '../watch.ts'
import type { PostgresConnection, TextResult } from './connection.ts'
import { quoteName, quoteTable } from './quote.ts'
import { decoderOf, typeOf } from './types.ts'

const FIRST_ROWS = 256

/** Reads rows with a cursor on the server, in a read-only transaction. */
export async function* readPostgres(
  connection: PostgresConnection,
  request: SqlRead,
  { chunkRows, timeoutMs }: Bounds,
  watch: Watch
): AsyncGenerator<SqlChunk> {
  await watch.run(async () => {
    await connection.begin('read', timeoutMs)
    const { text, values } = await statementFor(connection, request)
    await connection.run(`DECLARE millrace_read NO SCROLL CURSOR FOR\n${text}`, values)
  })
  let wanted = Math.min(chunkRows, FIRST_ROWS)
  for (;;) {
    const result = await watch.run(() => connection.run(`FETCH FORWARD ${wanted} FROM millrace_read`))
    if (result.rows.length === 0) return
    const { chunk, bytes } = toChunk(result, request.cursor?.column)
    yield chunk
    if (result.rows.length < wanted) return
    // As many rows as fit, judging by the last chunk; but never many times more, since rows may get larger.
    const fitting = Math.floor((CHUNK_BYTES * chunk.rows) / Math.max(bytes, 1))
    wanted = Math.max(1, Math.min(chunkRows, fitting, wanted * 8))
  }
}

interface Statement {
  readonly text: string
  readonly values: readonly string[]
}

async function statementFor(connection: PostgresConnection, request: SqlRead): Promise<Statement> {
  const { cursor, limit } = request
  const inner = sql(sourceOf(request))
  if (cursor === undefined) {
    if (limit === undefined) return { text: inner, values: [] }
    return { text: `SELECT * FROM (\n${inner}\n) AS q LIMIT ${limit}`, values: [] }
  }
  const column = `q.${quoteName(cursor.column)}`
  const values = cursor.after === null ? [] : [cursor.after]
  const from = `FROM (\n${inner}\n) AS q WHERE ${cursor.after === null ? `${column} IS NOT NULL` : `${column} > $1`}`
  const order = `ORDER BY ${column}`
  if (limit === undefined) return { text: `SELECT q.* ${from} ${order}`, values }
  // The cursor value of the last row within the limit; all rows with that value belong to the answer.
  const last = await connection.run(`SELECT ${column} ${from} ${order} LIMIT 1 OFFSET ${limit - 1}`, values)
  const end = last.rows[0]?.[0]
  if (end === undefined || end === null) return { text: `SELECT q.* ${from} ${order}`, values }
  return { text: `SELECT q.* ${from} AND ${column} <= $${values.length + 1} ${order}`, values: [...values, end] }
}

function sql(source: Source): string {
  return 'table' in source ? `SELECT * FROM ${quoteTable(source.table)}` : source.query
}

function toChunk(result: TextResult, cursorColumn: string | undefined): { chunk: SqlChunk; bytes: number } {
  const columns = result.fields.map(({ name, dataTypeID }): SqlColumn => ({ name, type: typeOf(dataTypeID) }))
  let bytes = 0
  const values = columns.map(({ type }, i) => {
    const decode = decoderOf(type)
    return result.rows.map((row): SqlValue => {
      const text = row[i] ?? null
      if (text === null) return null
      bytes += text.length
      return decode(text)
    })
  })
  const at = columns.findIndex(({ name }) => name === cursorColumn)
  const cursorAt = result.rows.at(-1)?.[at] ?? undefined
  if (cursorColumn !== undefined && cursorAt === undefined) {
    throw new SqlError('no_such_column', `The answer has no column ${JSON.stringify(cursorColumn)}`)
  }
  return { chunk: { columns, values, rows: result.rows.length, cursorAt }, bytes }
}
