import type { ColumnType, StreamChunk, StreamValue } from '../../engines/drivers/index.ts'
import { sqlName, sqlText } from '../relation.ts'

/** Rows as lines of CSV: texts always in quotes, so that what has none is no value. */
export function linesOf({ values, rows }: StreamChunk): string[] {
  const lines: string[] = []
  for (let row = 0; row < rows; row++) lines.push(values.map((column) => fieldOf(column[row] ?? null)).join(','))
  return lines
}

function fieldOf(value: StreamValue): string {
  if (value === null) return ''
  if (typeof value === 'string') return `"${value.replaceAll('"', '""')}"`
  return value instanceof Uint8Array ? `"${Buffer.from(value).toString('hex')}"` : String(value)
}

const OPTIONS = `header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, new_line = '\\n'`

/** As what fields are read, and what is made of them. */
const FORMS: Readonly<Record<ColumnType, readonly [read: string, made: (field: string) => string]>> = {
  boolean: ['BOOLEAN', (field) => field],
  integer: ['INTEGER', (field) => field],
  bigint: ['HUGEINT', (field) => `TRY_CAST(${field} AS BIGINT)`], // unsigned ones may be larger
  double: ['DOUBLE', (field) => field],
  decimal: ['VARCHAR', (field) => field],
  text: ['VARCHAR', (field) => field],
  date: ['VARCHAR', (field) => `TRY_CAST(replace(${field}, ' BC', ' (BC)') AS DATE)`],
  timestamp: ['VARCHAR', (field) => `TRY_CAST(${field} AS TIMESTAMP)`],
  timestamptz: ['VARCHAR', (field) => `TRY_CAST(${inUtc(field)} AS TIMESTAMP WITH TIME ZONE)`],
  json: ['VARCHAR', (field) => `TRY_CAST(${field} AS JSON)`],
  blob: ['VARCHAR', (field) => `unhex(${field})`]
}

const inUtc = (field: string) => `CASE WHEN ends_with(${field}, 'infinity') THEN ${field} ELSE ${field} || '+00' END`

type Columns = readonly { readonly name: string; readonly type: ColumnType }[]

/**
 * A SELECT over a file of such lines. Decimals are text, so that nothing of them is lost; a date, a time or a number that can't be
 * represented here is no value.
 */
export function selectLines(file: string, columns: Columns, longestLine: number): string {
  const read = columns.map(({ type }, i) => `'c${i}': '${FORMS[type][0]}'`).join(', ')
  return `SELECT ${madeOf(columns)} FROM read_csv(${sqlText(file)}, ${OPTIONS}, max_line_size = ${longestLine}, columns = {${read}})`
}

/** The same without any record. */
export function emptySelect(columns: Columns): string {
  const read = columns.map(({ type }, i) => `NULL::${FORMS[type][0]} AS c${i}`).join(', ')
  return `SELECT ${madeOf(columns)} FROM (SELECT ${read} WHERE false)`
}

const madeOf = (columns: Columns): string =>
  columns.map(({ name, type }, i) => `${FORMS[type][1](`c${i}`)} AS ${sqlName(name)}`).join(', ')
