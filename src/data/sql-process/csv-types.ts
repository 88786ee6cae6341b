import type { DuckDBConnection } from '@duckdb/node-api'
import { selectOf, sqlName, sqlText } from '../relation.ts'
import { areRows } from './csv-skipped.ts'
import type { DataColumn } from './messages.ts'

interface Reading {
  readonly options: string
  readonly columns: readonly DataColumn[]
}

export const csvSelect = (files: readonly string[], options: string): string => selectOf('read_csv', files, options)

/** How a file is to be read. */
interface FileShape {
  readonly columns: readonly DataColumn[]
  readonly options: string
  /** Lines at its beginning that would not be read. */
  readonly skipped: number
  readonly delimiter: string
}

/** A SELECT, or what separates the fields of rows that would be skipped. */
export type TypedCsv = { readonly sql: string } | { readonly delimiterOfSkipped: string }

/**
 * The files with types that all of their values have. DuckDB looks at the first 20,000 lines, and takes what comes after for the
 * same: it rounds decimals where only whole numbers came before, and can't go on where a text comes among numbers. So each file is
 * looked at as a whole, once, which takes about as long as to read it. Undefined where that finds no columns, or others than those
 * of the first lines: what is wrong is told by whatever reads the file.
 */
export async function typedCsv(
  connection: DuckDBConnection,
  files: readonly string[],
  reading: Reading
): Promise<TypedCsv | undefined> {
  const groups = new Map<string, string[]>()
  const empty: FileShape[] = []
  for (const file of files) {
    const shape = await shapeIn(connection, file, reading, files.length === 1)
    if (shape === undefined) return undefined
    const { skipped, delimiter } = shape
    if (skipped > 0 && (await areRows(connection, file, skipped, delimiter))) return { delimiterOfSkipped: delimiter }
    const options = `${reading.options}, ${shape.options}`
    if (files.length > 1 && (await isEmpty(connection, file, shape, options))) empty.push(shape)
    else groups.getOrInsertComputed(options, () => []).push(file)
  }
  if (groups.size === 0) return undefined
  const selects = [...groups].map(([options, some]) => csvSelect(some, options))
  return { sql: [...selects, ...empty.map(nothingOf)].join(' UNION ALL BY NAME ') }
}

/** A quotation mark that first comes late is one all the same. */
export const USUAL_QUOTES = `quote = '"', escape = '"'`

/** With the usual quotation marks, unless it has other columns with them than its first lines show: some write others, or none. */
async function shapeIn(
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
    `SELECT to_json(Columns)::VARCHAR, SkipRows, Delimiter, Quote, Escape, DateFormat, TimestampFormat FROM sniff_csv(${sqlText(file)}, ${options}, sample_size = -1)`
  )
  const [found, skipped, delimiter, quote, escaping, date, timestamp] = reader.getRows()[0] ?? []
  const columns = JSON.parse(String(found)) as DataColumn[]
  const types = columns.map(({ name, type }) => `${sqlText(name)}: ${sqlText(type)}`)
  const isDelimited = options.includes('delim = ')
  const told = [
    `types = {${types.join(', ')}}`,
    `quote = ${sqlText(quote === NONE ? '' : String(quote))}`,
    `escape = ${sqlText(escaping === NONE ? '' : String(escaping))}`,
    ...(isDelimited ? [] : [`delim = ${sqlText(String(delimiter))}`]),
    ...(typeof date === 'string' ? [`dateformat = ${sqlText(date)}`] : []),
    ...(typeof timestamp === 'string' ? [`timestampformat = ${sqlText(timestamp)}`] : [])
  ]
  return { columns, options: told.join(', '), skipped: Number(skipped), delimiter: String(delimiter) }
}

/** Whether it has a header and nothing else, so that each of its columns would be of texts. */
async function isEmpty(
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
const nothingOf = ({ columns }: FileShape): string =>
  `(SELECT ${columns.map(({ name }) => `NULL AS ${sqlName(name)}`).join(', ')} WHERE false)`
