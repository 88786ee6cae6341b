import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText, type TextRelation } from '../relation.ts'
import { columnsOf } from './columns-of.ts'
import { csvSelect, typedCsv, USUAL_QUOTES } from './csv-types.ts'
import type { DataColumn } from './messages.ts'

/** Options of `read_csv`, and the columns that it finds with them in the first lines. */
interface Reading {
  readonly options: string
  readonly columns: readonly DataColumn[]
}

/** A number, or a date with or without a time, as no column is called. DuckDB numbers names that occur again. */
const VALUE =
  /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?(_\d+)?\s*$|^\s*\d{1,4}([-/.])\d{1,2}\4\d{1,4}([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[-+]\d{2}(:?\d{2})?)?(_\d+)?\s*$/i
/** What DuckDB calls a column whose name is empty. */
const UNNAMED = /^column\d+$/

/** What makes up for fields that a line has not. It is slower, and so only where need be. */
const UNEVEN = 'null_padding = true, parallel = false'

/** The SQL that reads files of CSV as they turn out to be. */
export async function csvReading(
  connection: DuckDBConnection,
  files: readonly string[],
  text: TextRelation
): Promise<string> {
  const reading = await evenOrNot(connection, files, text)
  const typed = await typedCsv(connection, files, reading)
  if (typed === undefined) return csvSelect(files, reading.options)
  if ('sql' in typed) return typed.sql
  const told = /\bdelim = /.test(text.options) ? '' : `delim = ${sqlText(typed.delimiterOfSkipped)}`
  const uneven = await headed(connection, files, joined(text.options, UNEVEN, told, USUAL_QUOTES))
  const again = await typedCsv(connection, files, uneven)
  return again !== undefined && 'sql' in again ? again.sql : csvSelect(files, uneven.options)
}

/**
 * DuckDB takes whole lines of CSV for one column where any line has more or fewer fields than the others. Nothing would find its
 * columns then, masks least of all.
 */
async function evenOrNot(
  connection: DuckDBConnection,
  files: readonly string[],
  { options, mayBeUneven }: TextRelation
): Promise<Reading> {
  const plain = await headed(connection, files, options)
  if (!mayBeUneven || !isOneColumn(plain)) return plain
  const padded = await headed(connection, files, joined(options, UNEVEN))
  return isOneColumn(padded) ? plain : padded
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

function isOneColumn({ columns: [first, second] }: Reading): boolean {
  return second === undefined && /[,;|\t]/.test(first?.name ?? '')
}
