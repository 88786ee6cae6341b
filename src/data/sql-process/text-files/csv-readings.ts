import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText, type TextRelation } from '../../relation.ts'
import { columnsOf } from '../columns-of.ts'
import { openQuote } from '../file-failure.ts'
import type { DataColumn, NamedRelation } from '../messages.ts'
import { evenedOut, oddLinesOf, UNEVEN } from './csv-odd-lines.ts'
import { csvSelect, type FileShape, isEmpty, nothingOf, type Reading, shapeIn, USUAL_QUOTES } from './csv-shape.ts'
import { areRows } from './csv-skipped.ts'

/** A number, or a date with or without a time, as no column is called. DuckDB numbers names that occur again. */
const VALUE =
  /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?(_\d+)?\s*$|^\s*\d{1,4}([-/.])\d{1,2}\4\d{1,4}([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[-+]\d{2}(:?\d{2})?)?(_\d+)?\s*$/i
/** What DuckDB calls a column whose name is empty. */
const UNNAMED = /^column\d+$/

/** A smaller file has no more lines than DuckDB looks at when it finds out the columns. */
const LOOKED_AT_BYTES = 40_000

/** How one file is to be read, and what it is where looking at all of it has found that out. */
interface FileReading {
  readonly options: string
  readonly shape?: FileShape
  /** Where options that others may share are not enough. */
  readonly select?: string
}

/** What is the same for all files. */
interface All {
  readonly reading: Reading
  readonly text: TextRelation
  readonly isAlone: boolean
  /** What people call a file. */
  nameOf(file: string): string
}

/**
 * The SQL that reads files of CSV as they turn out to be, each by itself: one with odd lines is read as such, and the others as if it
 * were not there.
 */
export async function csvReading(
  connection: DuckDBConnection,
  { files, names = [] }: Pick<NamedRelation, 'files' | 'names'>,
  text: TextRelation
): Promise<string> {
  const reading = await headed(connection, files, text.options)
  const nameOf = (file: string) => names[files.indexOf(file)] ?? basename(file)
  const all: All = { reading, text, isAlone: files.length === 1, nameOf }
  const groups = new Map<string, string[]>()
  const empty: FileShape[] = []
  const selects: string[] = []
  for (const file of files) {
    const { options, shape, select } = await readingOf(connection, file, all)
    if (select !== undefined) selects.push(select)
    else if (files.length > 1 && shape !== undefined && (await isEmpty(connection, file, shape, options)))
      empty.push(shape)
    else groups.getOrInsertComputed(options, () => []).push(file)
  }
  for (const [options, some] of groups) selects.push(csvSelect(some, options))
  if (selects.length === 0) return csvSelect(files, reading.options)
  return [...selects, ...empty.map(nothingOf)].join(' UNION ALL BY NAME ')
}

async function readingOf(connection: DuckDBConnection, file: string, all: All): Promise<FileReading> {
  const { reading, text, isAlone, nameOf } = all
  const shape = await shapeIn(connection, file, reading, isAlone)
  const uneven = await unevenReading(connection, file, shape, text, reading)
  if (uneven === undefined && statSync(file).size < LOOKED_AT_BYTES) return typed(reading, shape)
  const seen = uneven ?? reading
  const found = typed(seen, uneven === undefined ? shape : await shapeIn(connection, file, uneven, true))
  if (found.shape === undefined) return found
  const given = { shape: found.shape, header: seen.header }
  const odd = await oddLinesOf(connection, file, given)
  if (odd === undefined) return found
  // Whatever makes up for missing fields would take all that follows for one value.
  if (odd.openQuote !== undefined) throw openQuote(`Line ${odd.openQuote} of ${nameOf(file)}`)
  return { ...found, select: await evenedOut(connection, file, given, odd) }
}

/**
 * DuckDB takes whole lines of CSV for one column where any of the first lines has more or fewer fields than the others. Nothing would
 * find its columns then, masks least of all. What reads such a file; undefined where it is none.
 */
async function unevenReading(
  connection: DuckDBConnection,
  file: string,
  shape: FileShape | undefined,
  text: TextRelation,
  reading: Reading
): Promise<Reading | undefined> {
  const rowsApart = await delimiterOfSkipped(connection, file, shape)
  if (rowsApart === undefined) {
    if (!text.mayBeUneven) return undefined
    const columns = shape?.columns ?? (await columnsOf(connection, csvSelect([file], reading.options)))
    if (!isOneColumn(columns)) return undefined
  }
  const told = rowsApart === undefined || /\bdelim = /.test(text.options) ? '' : `delim = ${sqlText(rowsApart)}`
  const quotes = rowsApart === undefined ? '' : USUAL_QUOTES
  const uneven = await headed(connection, [file], joined(text.options, UNEVEN, told, quotes))
  return isOneColumn(uneven.columns) ? undefined : uneven
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
    return { options: all, header, columns: await columnsOf(connection, csvSelect(files, all)) }
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
