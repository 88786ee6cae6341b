import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText, type TextRelation } from '../relation.ts'
import { columnsOf } from './columns-of.ts'
import { areRows } from './csv-skipped.ts'
import { csvSelect, type FileShape, isEmpty, nothingOf, type Reading, shapeIn, USUAL_QUOTES } from './csv-types.ts'
import type { DataColumn } from './messages.ts'

/** A number, or a date with or without a time, as no column is called. DuckDB numbers names that occur again. */
const VALUE =
  /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?(_\d+)?\s*$|^\s*\d{1,4}([-/.])\d{1,2}\4\d{1,4}([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[-+]\d{2}(:?\d{2})?)?(_\d+)?\s*$/i
/** What DuckDB calls a column whose name is empty. */
const UNNAMED = /^column\d+$/

/** What makes up for fields that a line has not. It is slower, and so only where need be. */
const UNEVEN = 'null_padding = true, parallel = false'

/** How one file is to be read, and what it is where looking at all of it has found that out. */
interface FileReading {
  readonly options: string
  readonly shape?: FileShape
}

/**
 * The SQL that reads files of CSV as they turn out to be, each by itself: one with odd lines is read as such, and the others as if it
 * were not there.
 */
export async function csvReading(
  connection: DuckDBConnection,
  files: readonly string[],
  text: TextRelation
): Promise<string> {
  const reading = await headed(connection, files, text.options)
  const groups = new Map<string, string[]>()
  const empty: FileShape[] = []
  for (const file of files) {
    const { options, shape } = await readingOf(connection, file, { reading, text, isAlone: files.length === 1 })
    if (files.length > 1 && shape !== undefined && (await isEmpty(connection, file, shape, options))) empty.push(shape)
    else groups.getOrInsertComputed(options, () => []).push(file)
  }
  if (groups.size === 0) return csvSelect(files, reading.options)
  const selects = [...groups].map(([options, some]) => csvSelect(some, options))
  return [...selects, ...empty.map(nothingOf)].join(' UNION ALL BY NAME ')
}

/**
 * DuckDB takes whole lines of CSV for one column where any line has more or fewer fields than the others. Nothing would find its
 * columns then, masks least of all.
 */
async function readingOf(
  connection: DuckDBConnection,
  file: string,
  { reading, text, isAlone }: { readonly reading: Reading; readonly text: TextRelation; readonly isAlone: boolean }
): Promise<FileReading> {
  const shape = await shapeIn(connection, file, reading, isAlone)
  const found = typed(reading, shape)
  const rowsApart = await delimiterOfSkipped(connection, file, shape)
  if (rowsApart === undefined) {
    if (!text.mayBeUneven) return found
    const columns = shape?.columns ?? (await columnsOf(connection, csvSelect([file], reading.options)))
    if (!isOneColumn(columns)) return found
  }
  const told = rowsApart === undefined || /\bdelim = /.test(text.options) ? '' : `delim = ${sqlText(rowsApart)}`
  const quotes = rowsApart === undefined ? '' : USUAL_QUOTES
  const uneven = await headed(connection, [file], joined(text.options, UNEVEN, told, quotes))
  return isOneColumn(uneven.columns) ? found : typed(uneven, await shapeIn(connection, file, uneven, true))
}

const typed = ({ options }: Reading, shape: FileShape | undefined): FileReading =>
  shape === undefined ? { options } : { options: joined(options, shape.options), shape }

/** What separates the fields of rows that would not be read; undefined where there are none. */
async function delimiterOfSkipped(
  connection: DuckDBConnection,
  file: string,
  shape: FileShape | undefined
): Promise<string | undefined> {
  if (shape === undefined || shape.skipped === 0) return undefined
  return (await areRows(connection, file, shape.skipped, shape.delimiter)) ? shape.delimiter : undefined
}

/**
 * The first line is taken for a header, unless there is nothing in it but numbers and dates. DuckDB by itself would take one for a
 * row where nothing follows it, or where it has numbers above numbers.
 */
async function headed(connection: DuckDBConnection, files: readonly string[], options: string): Promise<Reading> {
  const read = async (header: boolean): Promise<Reading> => {
    const all = joined(options, `header = ${header}`)
    return { options: all, columns: await columnsOf(connection, csvSelect(files, all)) }
  }
  const withHeader = await read(true)
  const names = withHeader.columns.map(({ name }) => name)
  const isHeader =
    names.some((name) => !VALUE.test(name) && !UNNAMED.test(name)) || !names.some((name) => VALUE.test(name))
  return isHeader ? withHeader : read(false)
}

const joined = (...options: readonly string[]): string => options.filter((one) => one !== '').join(', ')

function isOneColumn([first, second]: readonly DataColumn[]): boolean {
  return second === undefined && /[,;|\t]/.test(first?.name ?? '')
}
