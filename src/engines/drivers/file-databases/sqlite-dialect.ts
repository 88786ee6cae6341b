import { type Dialect, type Form, sqlName, sqlText, usualSelect } from '../common/dialect.ts'
import { decimalText } from '../common/values.ts'
import type { StreamValue } from '../index.ts'
import { COLUMNS_TABLE } from './process/messages.ts'

/** Any value can be in any column: one that is none of the declared type is text where that is what the column is here, and else null. */
const WHOLE: Form = {
  type: 'bigint',
  decode: (value) => (typeof value === 'bigint' ? value : null),
  literal: (position) => position
}
const REAL: Form = {
  type: 'double',
  decode: (value) => (typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null),
  literal: (position) => position
}
const TRUTH: Form = {
  type: 'boolean',
  decode: (value) => (value === 1n ? true : value === 0n ? false : null),
  literal: (position) => (position === 'true' ? '1' : '0')
}
const DECIMAL: Form = { type: 'decimal', decode: decimalText, literal: (position) => position }
const TEXT: Form = { type: 'text', decode: asText, literal: sqlText }
const BLOB: Form = {
  type: 'blob',
  decode: (value) => (value instanceof Uint8Array ? value : typeof value === 'string' ? Buffer.from(value) : null),
  literal: sqlText
}

function asText(value: unknown): StreamValue {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
}

/** The rules of SQLite for what a declared type means. Times have no type of their own there, and are as they were written. */
function formOf(declared: string): Form {
  const type = declared.toUpperCase()
  if (type.includes('INT')) return WHOLE
  if (/CHAR|CLOB|TEXT/.test(type)) return TEXT
  if (type.includes('BLOB')) return BLOB
  if (/REAL|FLOA|DOUB/.test(type)) return REAL
  if (type.startsWith('BOOL')) return TRUTH
  return /^(NUMERIC|DECIMAL|NUMBER)/.test(type) ? DECIMAL : TEXT
}

export const SQLITE: Dialect = {
  quote: sqlName,
  sortsTexts: true,
  form: formOf,
  // The limit is kept by the reader, which ends the statement.
  select: (parts) => usualSelect(parts),
  columns: (of) =>
    `SELECT 'main', name, is_view, column, type, nullable, key, 1 FROM ${COLUMNS_TABLE}${
      of === undefined ? '' : ` WHERE name = ${sqlText(of.table)} AND ${sqlText(of.schema)} = 'main'`
    } ORDER BY name, at`
}
