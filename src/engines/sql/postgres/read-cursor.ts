import { SqlError } from '../errors.ts'
import type { SqlChunk, SqlColumn, SqlValue } from '../index.ts'
import { CHUNK_BYTES } from '../limits.ts'
import type { Bounds } from '../requests.ts'
import type { Watch } from '../watch.ts'
import type { PostgresConnection, TextResult } from './connection.ts'
import { decoderOf, typeOf } from './types.ts'

/** A read in a transaction that has begun. */
export interface ReadWork {
  readonly connection: PostgresConnection
  readonly statement: string
  readonly cursorColumn: string | undefined
  readonly bounds: Bounds
  readonly watch: Watch
}

/** Few, because nobody knows how large they are. */
const FIRST_ROWS = 16

/** Reads rows with a cursor on the server. */
export async function* readByCursor({ cursorColumn, ...work }: ReadWork): AsyncGenerator<SqlChunk> {
  for await (const result of fetchRows(work)) yield toChunk(result, cursorColumn)
}

/** The rows of a statement, some at a time. */
export async function* fetchRows(work: Omit<ReadWork, 'cursorColumn'>): AsyncGenerator<TextResult> {
  const { connection, statement, bounds, watch } = work
  await watch.run(() => connection.run(`DECLARE millrace_read NO SCROLL CURSOR FOR\n${statement}`))
  let wanted = Math.min(bounds.chunkRows, FIRST_ROWS)
  for (;;) {
    const result = await watch.run(() => connection.run(`FETCH FORWARD ${wanted} FROM millrace_read`))
    const rows = result.rows.length
    if (rows === 0) return
    yield result
    if (rows < wanted) return
    // As many rows as fit, judging by the last chunk; but never many times more, since rows may get larger.
    const fitting = Math.floor((CHUNK_BYTES * rows) / Math.max(sizeOf(result), 1))
    wanted = Math.max(1, Math.min(bounds.chunkRows, fitting, wanted * 8))
  }
}

function sizeOf({ rows }: TextResult): number {
  let bytes = 0
  for (const row of rows) for (const text of row) bytes += text?.length ?? 0
  return bytes
}

/** Where the column is that reading goes on by; undefined where there is none to be. */
export function cursorIndex(columns: readonly SqlColumn[], name: string | undefined): number | undefined {
  if (name === undefined) return undefined
  const at = columns.findIndex((column) => column.name === name)
  if (at < 0) throw new SqlError('no_such_column', `The answer has no column ${JSON.stringify(name)}`)
  return at
}

export function toChunk(result: TextResult, cursorColumn: string | undefined): SqlChunk {
  const columns = result.fields.map(({ name, dataTypeID }): SqlColumn => ({ name, type: typeOf(dataTypeID) }))
  const values = columns.map(({ type }, i) => {
    const decode = decoderOf(type)
    return result.rows.map((row): SqlValue => {
      const text = row[i] ?? null
      return text === null ? null : decode(text)
    })
  })
  const at = cursorIndex(columns, cursorColumn)
  const position = at === undefined ? undefined : (result.rows.at(-1)?.[at] ?? undefined)
  return { columns, values, rows: result.rows.length, position }
}
