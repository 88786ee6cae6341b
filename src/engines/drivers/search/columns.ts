import { double, jsonText, smallNumber, text, timeText, truth, wholeNumber } from '../common/values.ts'
import type { ColumnType, StreamColumn, StreamValue } from '../index.ts'

/** A mapping as `GET /index/_mapping` has it, of what is used here. */
export interface Mapping {
  readonly properties?: Readonly<Record<string, Field>>
}

interface Field {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Field>>
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  boolean: 'boolean',
  ...all(['byte', 'short', 'integer', 'token_count'], 'integer'),
  ...all(['long', 'unsigned_long'], 'bigint'),
  ...all(['double', 'float', 'half_float', 'scaled_float'], 'double'),
  ...all(['date', 'date_nanos'], 'timestamptz'),
  ...all(['keyword', 'constant_keyword', 'wildcard', 'text', 'match_only_text', 'ip', 'version'], 'text'),
  binary: 'blob'
}

/** Types whose values only grow in most indices. */
const CURSOR_TYPES: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'timestamptz'])

/** The id of a document, which is in none of its fields. */
const ID_COLUMN: StreamColumn = { name: '_id', type: 'text', nullable: false }

/**
 * The fields at the top of documents, as the mappings of one or several indices have them; where these differ in the type,
 * the column is JSON. Fields within others are in the JSON of the one at the top.
 */
export function columnsOf(mappings: readonly Mapping[]): StreamColumn[] {
  const types = new Map<string, ColumnType>()
  for (const { properties = {} } of mappings) {
    for (const [name, { type = 'object' }] of Object.entries(properties)) {
      // An alias of another field would be read twice.
      if (type === 'alias' || name === ID_COLUMN.name) continue
      const found = TYPES[type] ?? 'json'
      const known = types.get(name) ?? found
      types.set(name, known === found ? found : 'json')
    }
  }
  const fields = [...types].sort(([a], [b]) => (a < b ? -1 : 1))
  return [ID_COLUMN, ...fields.map(([name, type]) => ({ name, type, nullable: true }))]
}

export const cursorsOf = (columns: readonly StreamColumn[]): string[] =>
  columns.filter(({ type }) => CURSOR_TYPES.has(type)).map(({ name }) => name)

/**
 * A value of a field, which is a list even where there is one. A field may have several values in any document: text and
 * JSON have them as a list, in a column of another type they are null.
 */
export function fieldValue(type: ColumnType, values: readonly unknown[] | undefined): StreamValue {
  if (values === undefined || values.length === 0) return null
  if (values.length > 1) return type === 'text' || type === 'json' ? jsonText(values) : null
  const [value] = values
  if (value === null || value === undefined) return null
  switch (type) {
    case 'boolean':
      return truth(value)
    case 'integer':
      return smallNumber(value)
    case 'bigint':
      return wholeNumber(value)
    case 'double':
      return double(value)
    case 'timestamptz':
      return typeof value === 'string' ? timeText(value) : null
    case 'blob':
      return typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'base64')) : null
    case 'json':
      return jsonText(value)
    default:
      return text(value)
  }
}

function all(names: readonly string[], type: ColumnType): Record<string, ColumnType> {
  return Object.fromEntries(names.map((name) => [name, type]))
}
