import { isMasked, type Mask } from '../../data/mask.ts'
import type { ColumnType, Stream, StreamRead } from '../../engines/drivers/index.ts'
import { invalidField, Problem } from './errors.ts'
import type { SampleRequest } from './schema.ts'

/** Databases take what is none of these for some value or other, each in its own way. */
const FORMS: Partial<Record<ColumnType, readonly [RegExp, string]>> = {
  integer: [/^[+-]?\d+$/, 'a whole number'],
  bigint: [/^[+-]?\d+$/, 'a whole number'],
  decimal: [/^[+-]?\d+(\.\d*)?$/, 'a number'],
  double: [/^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/, 'a number'],
  date: [/^\d{4,}-\d\d-\d\d$/, 'a date, such as 2026-03-01'],
  timestamp: [/^\d{4,}-\d\d-\d\d([ T]|$)/, 'a time, such as 2026-03-01 08:00:00'],
  timestamptz: [/^\d{4,}-\d\d-\d\d([ T]|$)/, 'a time, such as 2026-03-01 08:00:00+00']
}
/** Columns that a refusal names. */
const MAX_NAMED = 20
const WITHOUT_ORDER: ReadonlySet<ColumnType> = new Set(['json', 'blob', 'boolean'])

/** What to go on by; refuses what can't be, and what would give away values that the caller may not see. */
export function cursorOf(
  { cursor }: SampleRequest,
  { columns, cursors }: Pick<Stream, 'columns' | 'cursors'>,
  mask: Mask | undefined
): StreamRead['cursor'] {
  if (cursor === undefined) return undefined
  const column = columns.find(({ name }) => name === cursor.column)
  if (column === undefined) throw invalidField('/cursor/column', 'must be a column of the stream')
  if (mask !== undefined && isMasked(mask, column.name)) {
    const detail = `${column.name} is masked for you, and reading in its order would tell its values. Ask without a cursor, or by another column.`
    throw new Problem('above_clearance', { detail })
  }
  if (WITHOUT_ORDER.has(column.type))
    throw invalidField('/cursor/column', `is of the type ${column.type}, which has no order to go on in`)
  const unlisted = unlistedCursor(column.name, cursors)
  if (unlisted !== undefined) throw invalidField('/cursor/column', unlisted)
  const { after = null } = cursor
  const [form, what] = FORMS[column.type] ?? []
  // Where a source tells positions of its own, these go on from them.
  const isPosition = after?.startsWith('{') === true
  if (after !== null && form !== undefined && !isPosition && !form.test(after))
    throw invalidField('/cursor/after', `must be ${what}`)
  return { column: column.name, after }
}

/** What is wrong with a column to go on by; nothing where the source knows of none that could be. */
export function unlistedCursor(column: string, cursors: readonly string[]): string | undefined {
  if (cursors.length === 0 || cursors.includes(column)) return undefined
  const others = cursors.length > MAX_NAMED ? `, and ${cursors.length - MAX_NAMED} more` : ''
  return `must be a column that reading can go on by: ${cursors.slice(0, MAX_NAMED).join(', ')}${others}`
}
