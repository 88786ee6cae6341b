import { COLUMNS } from './chain.ts'
import type { AuditRow } from './migrations.ts'

/** Columns have the names they are hashed under: an export can be checked without this server. */
export async function* toNdjson(chunks: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  for await (const rows of chunks) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

export async function* toCsv(chunks: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`
  for await (const rows of chunks) {
    yield rows.map((row) => `${COLUMNS.map((column) => cell(row[column])).join(',')}\r\n`).join('')
  }
}

/** A spreadsheet takes text that starts like a formula for one, so such text gets an apostrophe before it. */
function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
