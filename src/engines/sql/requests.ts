import { SqlError } from './errors.ts'
import type { SqlApply, SqlRead, SqlWrite } from './index.ts'
import { DEFAULT_CHUNK_ROWS, DEFAULT_TIMEOUT_MS, MAX_CHUNK_ROWS, MAX_QUERY_CHARS, MAX_TIMEOUT_MS } from './limits.ts'
import { checkColumnName, parseTableName, type TableName } from './names.ts'

/** The source of a read: a table, of which a request may want a part, or a statement without its final semicolon. */
export type Source = { readonly table: TableName } | { readonly query: string }

export interface Bounds {
  readonly chunkRows: number
  readonly timeoutMs: number
}

export function sourceOf({ query, table }: SqlRead): Source {
  if ((query === undefined) === (table === undefined)) throw invalid('Give either a query or a table')
  if (table !== undefined) return { table: parseTableName(table) }
  const text = (query as string).replace(/[\s;]+$/, '')
  if (text === '') throw invalid('The query is empty')
  if (text.length > MAX_QUERY_CHARS) throw invalid(`The query is longer than ${MAX_QUERY_CHARS} characters`)
  if (text.includes('\0')) throw invalid('The query has a NUL character in it')
  return { query: text }
}

export function boundsOf({
  chunkRows = DEFAULT_CHUNK_ROWS,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  limit,
  cursor
}: SqlRead): Bounds {
  if (!isWithin(chunkRows, MAX_CHUNK_ROWS)) throw invalid(`chunkRows must be from 1 to ${MAX_CHUNK_ROWS}`)
  if (!isWithin(timeoutMs, MAX_TIMEOUT_MS)) throw invalid(`timeoutMs must be from 1 to ${MAX_TIMEOUT_MS}`)
  if (limit !== undefined && !isWithin(limit, Number.MAX_SAFE_INTEGER)) throw invalid('limit must be 1 or more')
  if (cursor !== undefined) checkColumnName(cursor.column)
  if (cursor?.after?.includes('\0')) throw invalid('There is a NUL character in what to go on from')
  return { chunkRows, timeoutMs }
}

/** Refuses a request that is not consistent, before the database could take half of it. */
export function checkWrite({ columns, values, rows, keys }: SqlWrite): void {
  if (columns.length === 0) throw invalid('There are no columns to write')
  const names = new Set(columns.map(({ name }) => checkColumnName(name)))
  if (names.size !== columns.length) throw invalid('A column is there twice')
  if (values.length !== columns.length || values.some((column) => column.length !== rows)) {
    throw invalid(`Each of the ${columns.length} columns needs ${rows} values`)
  }
  if (keys?.length === 0) throw invalid('keys has no column in it; leave it out to insert')
  const missing = keys?.find((key) => !names.has(key))
  if (missing !== undefined) throw new SqlError('no_such_column', `The key ${JSON.stringify(missing)} is not written`)
}

export function checkApply({ table, columns, keys, changes }: SqlApply): void {
  checkWrite({ table, columns, keys, values: columns.map(() => []), rows: 0 })
  if (changes.some((change) => change.op !== 'empty' && change.values.length !== columns.length)) {
    throw invalid(`Each change needs ${columns.length} values`)
  }
}

function isWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max
}

function invalid(message: string): SqlError {
  return new SqlError('invalid_query', message)
}
