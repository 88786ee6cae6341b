import { rm } from 'node:fs/promises'
import { sqlText, sqlTexts } from '../../../../data/relation.ts'
import type { Column } from '../../duckdb/columns.ts'
import { firstRow } from '../../duckdb/database.ts'
import { isWhole } from '../../records/told-columns.ts'
import type { Cleaned } from './clean.ts'
import { writeSegment } from './segments.ts'
import type { Survey } from './survey.ts'
import type { FoundTypes } from './types.ts'
import { LONG_LINE_BYTES, requireFreeNames, type Work } from './work.ts'

export interface Dialect {
  readonly delimiter: string
  readonly quote: string
}

export interface ShapeColumn extends Column {
  /** As it is read; `cast` makes of that what it is to be. */
  readonly readAs: string
  /** The type that its first values have. */
  readonly found: string
  /** Whether the configuration tells the type. */
  readonly isTold: boolean
  /** Whether times are written in a form that is told or was found. */
  readonly hasFormat: boolean
}

export interface Shape {
  readonly hasHeader: boolean
  readonly columns: readonly ShapeColumn[]
  readonly formats: Omit<FoundTypes, 'types'>
}

/** A text that DuckDB can read: that of the object, or a clean one. */
export type Text = Survey & { readonly path: string; readonly cleaned: Cleaned | undefined }

export const toldType = (told: Readonly<Record<string, string>> | undefined, name: string): string | undefined =>
  Object.entries(told ?? {}).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1]

/** Names, types, and whether there is a header: told, remembered, or found by DuckDB. */
export async function shapeOf(work: Work, dialect: Dialect, text: Text): Promise<Shape> {
  const { csv, columns: told } = work.config
  const header = csv?.header === undefined ? '' : `, header = ${csv.header}`
  const sniff = (path: string, room: string) =>
    firstRow(
      work.database,
      `SELECT HasHeader, DateFormat, TimestampFormat, to_json(Columns)::VARCHAR AS columns FROM sniff_csv(${sqlText(path)}, ${options(work, dialect)}${header}, ignore_errors = true${room})`
    )
  const row = isLong(text) ? await sniffFirst(work, text, sniff) : await sniff(text.path, '')
  const { types, ...known } = work.types
  const formats = {
    ...(typeof row?.DateFormat === 'string' && { dateFormat: row.DateFormat }),
    ...(typeof row?.TimestampFormat === 'string' && { timestampFormat: row.TimestampFormat }),
    ...known
  }
  const columns = (JSON.parse(String(row?.columns)) as Column[]).map(({ name, type: found }) => {
    const own = toldType(told, name)
    const type = own ?? types?.[name.toLowerCase()] ?? (WHOLE.has(found) ? 'DOUBLE' : found)
    const hasFormat = (csv?.timestampFormat ?? formats.timestampFormat) !== undefined
    // DuckDB reads other types of times as nothing where they are none, and where they have a format of their own.
    const timeAs = hasFormat ? 'TIMESTAMP' : 'VARCHAR'
    // And it forgets the offset of a TIMESTAMP, where somebody told that it is one, and rounds numbers to whole ones.
    const isTime = own === 'TIMESTAMP' || /^TIMESTAMP./.test(type)
    const readAs = isTime ? timeAs : isExact(type, own) ? 'VARCHAR' : type
    return { name, type, readAs, found, isTold: own !== undefined, hasFormat }
  })
  requireFreeNames(columns)
  return { hasHeader: row?.HasHeader === true, columns, formats }
}

/** The same with other types of some columns. */
export const withTypes = (shape: Shape, types: ReadonlyMap<string, string>): Shape => ({
  ...shape,
  columns: shape.columns.map((column) => {
    const type = types.get(column.name)
    return type === undefined ? column : { ...column, type, readAs: isExact(type, undefined) ? 'VARCHAR' : type }
  })
})

/** Types of which DuckDB would round values as it reads them. A DECIMAL that is told is meant to be rounded. */
const isExact = (type: string, told: string | undefined): boolean =>
  isWhole(type) || (told === undefined && type === 'DECIMAL(38,0)')

/** Whole numbers become DOUBLE, so that a column does not change its type from object to object. */
const WHOLE = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT', 'INTEGER'])

export const isLong = (text: Text): boolean => text.longestBytes > LONG_LINE_BYTES

async function sniffFirst(work: Work, text: Text, sniff: (path: string, room: string) => ReturnType<typeof firstRow>) {
  const to = text.cleaned?.segments[1]?.byte ?? text.sizeBytes
  const first = `${text.path}.first`
  try {
    await writeSegment({ path: text.path, from: 0, to }, first, work.signal)
    return await sniff(first, roomFor(to))
  } finally {
    await rm(first, { force: true })
  }
}

export const roomFor = (sizeBytes: number): string =>
  `, parallel = false, max_line_size = ${sizeBytes + 1024}, buffer_size = ${sizeBytes + 2048}`

export function options({ config: { csv }, types }: Work, { delimiter, quote }: Dialect): string {
  const dateFormat = csv?.dateFormat ?? types.dateFormat
  const timestampFormat = csv?.timestampFormat ?? types.timestampFormat
  return [
    `delim = ${sqlText(delimiter)}, quote = ${sqlText(quote)}, escape = ${sqlText(quote)}, comment = '', skip = 0`,
    `nullstr = ${sqlTexts(['', ...(csv?.nulls ?? [])])}`,
    ...(csv?.decimal === undefined ? [] : [`decimal_separator = ${sqlText(csv.decimal)}`]),
    ...(csv?.thousands === undefined ? [] : [`thousands = ${sqlText(csv.thousands)}`]),
    ...(dateFormat === undefined ? [] : [`dateformat = ${sqlText(dateFormat)}`]),
    ...(timestampFormat === undefined ? [] : [`timestampformat = ${sqlText(timestampFormat)}`])
  ].join(', ')
}
