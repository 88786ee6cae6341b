import { ChunkBuilder, cursorText } from '../chunk.ts'
import { SqlError } from '../errors.ts'
import type { SqlChunk, SqlRead } from '../index.ts'
import { type Bounds, type Source, sourceOf } from '../requests.ts'
import { selectOf } from '../select.ts'
import type { Watch } from '../watch.ts'
import type { MysqlConnection, Parameter } from './connection.ts'
import { fromMysql } from './errors.ts'
import { quoteName, quoteTable, quoteText } from './quote.ts'
import { comparable, decoderOf, type Field, toColumn, typeOf } from './types.ts'

/** Reads rows as the server sends them, in a read-only transaction. */
export async function* readMysql(
  connection: MysqlConnection,
  request: SqlRead,
  { chunkRows }: Bounds,
  watch: Watch
): AsyncGenerator<SqlChunk> {
  const { rows, fields } = await watch.run(async () => {
    await connection.command('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
    const { sql, values } = await statementFor(connection, request)
    return connection.stream(sql, values)
  })
  const decoders = fields.map(decoderOf)
  const chunks = new ChunkBuilder(fields.map(toColumn), chunkRows, cursorIndex(fields, request))
  for (;;) {
    const some = await watch.run(() => rows.take()).catch(throwFromMysql)
    if (some === undefined) break
    for (const row of some) chunks.add(decoders.map((decode, i) => (row[i] === null ? null : decode(row[i]))))
    yield* chunks.takeFull()
  }
  yield* chunks.takeRest()
}

function throwFromMysql(error: unknown): never {
  throw fromMysql(error)
}

/** MySQL ignores case in names of columns. */
function cursorIndex(fields: readonly Field[], { cursor }: SqlRead): number | undefined {
  if (cursor === undefined) return undefined
  return fields.findIndex(({ name }) => name.toLowerCase() === cursor.column.toLowerCase())
}

interface Statement {
  readonly sql: string
  readonly values: readonly Parameter[]
}

async function statementFor(connection: MysqlConnection, request: SqlRead): Promise<Statement> {
  const { cursor, limit } = request
  const inner = sqlOf(sourceOf(request), request)
  const derived = `FROM (\n${inner}\n) AS q`
  if (cursor === undefined) {
    if (limit !== undefined) return { sql: `SELECT * ${derived} LIMIT ${limit}`, values: [] }
    // `SELECT … INTO` a file or a variable has no answer.
    if ((await connection.columnsOf(inner)).length === 0) throw readsNothing()
    return { sql: inner, values: [] }
  }
  const column = `q.${quoteName(cursor.column)}`
  const field = (await connection.columnsOf(`SELECT ${column} ${derived}`))[0] as Field
  const parameter = comparable(field)
  if (parameter === undefined) {
    throw new SqlError('invalid_query', `The column ${cursor.column} is of a type without an order to go on in`)
  }
  const values = cursor.after === null ? [] : [parameterOf(field, cursor.after)]
  const from = `${derived} WHERE ${column} ${cursor.after === null ? 'IS NOT NULL' : `> ${parameter}`}`
  const order = `ORDER BY ${column}`
  if (limit === undefined) return { sql: `SELECT q.* ${from} ${order}`, values }
  // The cursor value of the last row within the limit; all rows with that value belong to the answer.
  const rows = await connection.run(`SELECT ${column} ${from} ${order} LIMIT 1 OFFSET ${limit - 1}`, values)
  const end = rows[0]?.[0]
  if (end === undefined) return { sql: `SELECT q.* ${from} ${order}`, values }
  const through = parameterOf(field, cursorText(decoderOf(field)(end)))
  return { sql: `SELECT q.* ${from} AND ${column} <= ${parameter} ${order}`, values: [...values, through] }
}

function parameterOf(field: Field, text: string): Parameter {
  return typeOf(field) === 'double' ? Number(text) : text
}

/** Statements that only answer. Others, such as SET, would have an effect even in a read-only transaction. */
const READS =
  /^(?:\s|--\s.*\n|#.*\n|\/\*(?![!M])[\s\S]*?\*\/)*(?:select|with|table|values|show|describe|explain|\()(?![\w$])/i

function sqlOf(source: Source, request: SqlRead): string {
  if ('table' in source) return selectOf(quoteTable(source.table), request, { quoteName, quoteText })
  if (!READS.test(source.query)) throw readsNothing()
  return source.query
}

function readsNothing(): SqlError {
  return new SqlError('invalid_query', 'The query must be one statement that reads, such as SELECT')
}
