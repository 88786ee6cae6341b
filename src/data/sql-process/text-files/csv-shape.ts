import type { DuckDBConnection } from '@duckdb/node-api'
import { selectOf, sqlName, sqlText } from '../../relation.ts'
import type { DataColumn } from '../messages.ts'

/** Options of `read_csv`, and the columns that it finds with them in the first lines. */
export interface Reading {
  readonly options: string
  /** Whether the first line has the names of columns. */
  readonly header: boolean
  readonly columns: readonly DataColumn[]
}

export const csvSelect = (files: readonly string[], options: string): string => selectOf('read_csv', files, options)

/** What a file turns out to be. */
export interface FileShape {
  readonly columns: readonly DataColumn[]
  /** Options that say so. */
  readonly options: string
  /** Those of them that are about marks and forms of times. */
  readonly marks: string
  /** Lines at its beginning that would not be read. */
  readonly skipped: number
  readonly delimiter: string
}

/** A quotation mark that first comes late is one all the same. */
export const USUAL_QUOTES = `quote = '"', escape = '"'`

/**
 * What all values of a file show. DuckDB looks at the first 20,000 lines, and takes what comes after for the same: it rounds decimals
 * where only whole numbers came before, and can't go on where a text comes among numbers. So the file is looked at as a whole, once,
 * which takes about as long as to read it: with the usual quotation marks, unless it has other columns with them than its first
 * lines show, because some write others, or none. Undefined where that finds no columns, or others than those of the first lines:
 * what is wrong is told by whatever reads the file.
 */
export async function shapeIn(
  connection: DuckDBConnection,
  file: string,
  { options, columns }: Reading,
  isAlone: boolean
): Promise<FileShape | undefined> {
  const known = new Set(columns.map(({ name }) => name))
  for (const more of [`, ${USUAL_QUOTES}`, '']) {
    const shape = await shapeOf(connection, file, `${options}${more}`).catch(() => undefined)
    const isLike = shape?.columns.every(({ name }) => known.has(name)) === true
    if (isLike && (!isAlone || shape.columns.length === known.size)) return shape
  }
  return undefined
}

const NONE = '(empty)'

async function shapeOf(connection: DuckDBConnection, file: string, options: string): Promise<FileShape> {
  const reader = await connection.runAndReadAll(
    `SELECT to_json(Columns)::VARCHAR, SkipRows, Delimiter, Quote, Escape, Comment, DateFormat, TimestampFormat FROM sniff_csv(${sqlText(file)}, ${options}, sample_size = -1)`
  )
  const [found, skipped, delimiter, quote, escaping, comment, date, timestamp] = reader.getRows()[0] ?? []
  const columns = JSON.parse(String(found)) as DataColumn[]
  const marks = [
    `quote = ${sqlText(quote === NONE ? '' : String(quote))}`,
    `escape = ${sqlText(escaping === NONE ? '' : String(escaping))}`,
    ...(comment === NONE ? [] : [`comment = ${sqlText(String(comment))}`]),
    ...(typeof date === 'string' ? [`dateformat = ${sqlText(date)}`] : []),
    ...(typeof timestamp === 'string' ? [`timestampformat = ${sqlText(timestamp)}`] : [])
  ].join(', ')
  const told = options.includes('delim = ') ? [] : [`delim = ${sqlText(String(delimiter))}`]
  const typed = [`types = ${typesText(columns)}`, marks, ...told].join(', ')
  return { columns, options: typed, marks, skipped: Number(skipped), delimiter: String(delimiter) }
}

/** Names and types as options of `read_csv` have them. */
export const typesText = (columns: readonly DataColumn[]): string =>
  `{${columns.map(({ name, type }) => `${sqlText(name)}: ${sqlText(type)}`).join(', ')}}`

/** Whether it has a header and nothing else, so that each of its columns would be of texts. */
export async function isEmpty(
  connection: DuckDBConnection,
  file: string,
  { columns }: FileShape,
  options: string
): Promise<boolean> {
  if (columns.some(({ type }) => type !== 'VARCHAR')) return false
  const reader = await connection.runAndReadAll(`SELECT 1 FROM (${csvSelect([file], options)}) LIMIT 1`)
  return reader.currentRowCount === 0
}

/** Columns without a row, whose types are those of other files. */
export const nothingOf = ({ columns }: FileShape): string =>
  `(SELECT ${columns.map(({ name }) => `NULL AS ${sqlName(name)}`).join(', ')} WHERE false)`
