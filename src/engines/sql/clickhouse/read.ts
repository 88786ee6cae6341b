import { ChunkBuilder, cursorText } from '../chunk.ts'
import type { SqlChunk, SqlRead } from '../index.ts'
import { type Bounds, sourceOf } from '../requests.ts'
import type { Watch } from '../watch.ts'
import { decoderOf } from './decode.ts'
import { quoteName } from './quote.ts'
import { ROW_END, RowSplitter } from './rows.ts'
import type { ServerRead } from './server.ts'
import { checkCursor, type Described, describe, literal, sqlOf } from './source.ts'
import { type ColumnType, toColumn } from './types.ts'

export interface Answer {
  readonly body: AsyncIterator<Uint8Array>
  readonly columns: readonly Described[]
}

export async function beginAnswer(read: ServerRead, request: SqlRead): Promise<Answer> {
  const inner = sqlOf(sourceOf(request), request)
  const columns = await describe(read, inner)
  const fields = columns.map(({ name, type }) => inUtc(type, quoteName(name)))
  const rest = await condition(read, request, inner, columns)
  const sql = `SELECT ${fields.join(', ')}, ${ROW_END} FROM (\n${inner}\n)${rest} FORMAT TabSeparated`
  return { body: read.stream(sql), columns }
}

/** Converts to UTC: ClickHouse prints times in the zone of the column, or of the server. */
function inUtc(type: ColumnType, column: string): string {
  return type.name.startsWith('DateTime') ? `toTimeZone(${column}, 'UTC')` : column
}

async function condition(
  read: ServerRead,
  { cursor, limit }: SqlRead,
  inner: string,
  columns: readonly Described[]
): Promise<string> {
  if (cursor === undefined) return limit === undefined ? '' : ` LIMIT ${limit}`
  const { type } = checkCursor(columns, cursor.column)
  const column = quoteName(cursor.column)
  const conditions = [cursor.after === null ? `isNotNull(${column})` : `${column} > ${literal(type, cursor.after)}`]
  if (type.name.startsWith('Float')) conditions.push(`NOT isNaN(${column})`) // NaN is not comparable
  const where = ` WHERE ${conditions.join(' AND ')}`
  const order = ` ORDER BY ${column}`
  if (limit === undefined) return where + order
  // The cursor value of the last row within the limit; all rows with that value belong to the answer.
  const last = await read.ask(
    `SELECT ${inUtc(type, column)} FROM (\n${inner}\n)${where}${order} LIMIT ${limit - 1}, 1 FORMAT TabSeparated`
  )
  if (last === '') return where + order
  const end = decoderOf(type)(Buffer.from(last.slice(0, -1)))
  return `${where} AND ${column} <= ${literal(type, cursorText(end))}${order}`
}

export async function* readRows(
  { body, columns }: Answer,
  request: SqlRead,
  { chunkRows }: Bounds,
  watch: Watch
): AsyncGenerator<SqlChunk> {
  const decoders = columns.map(({ type }) => decoderOf(type))
  const { cursor } = request
  const chunks = new ChunkBuilder(
    columns.map(({ name, type }) => toColumn(name, type)),
    chunkRows,
    cursor === undefined ? undefined : columns.findIndex(({ name }) => name === cursor.column)
  )
  const splitter = new RowSplitter(columns.length, (fields) => {
    chunks.add(fields.map((field, i) => decoders[i]?.(field) ?? null))
  })
  for (;;) {
    const { done, value } = await watch.run(() => body.next())
    if (done) break
    splitter.push(value)
    yield* chunks.takeFull()
  }
  splitter.end()
  yield* chunks.takeRest()
}
