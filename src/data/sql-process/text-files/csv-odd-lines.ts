import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../relation.ts'
import type { DataColumn } from '../messages.ts'
import { type FileShape, typesText } from './csv-shape.ts'

/** Lines that are told of, so that a file of nothing else does not fill the memory. */
const MAX_LINES = 10_000
/** What makes up for fields that a line has not. It is slower, and so only where need be. */
export const UNEVEN = 'null_padding = true, parallel = false'

/** What lines with too few or too many fields come to. */
export interface OddLines {
  /** Fields in the longest of them. */
  readonly most: number
  /** The first line with a quotation mark that nothing ends, where there is one. */
  readonly openQuote: number | undefined
}

/** How lines are to be read, with all that would be found out otherwise. */
interface Given {
  readonly shape: FileShape
  readonly header: boolean
}

/**
 * Lines of a file that have more or fewer fields than its columns, wherever they are: DuckDB finds out columns and marks by the first
 * 20,000 lines. Undefined where there are none, or where something else is wrong, which is told by whatever reads the file.
 */
export async function oddLinesOf(
  connection: DuckDBConnection,
  file: string,
  given: Given
): Promise<OddLines | undefined> {
  const texts = given.shape.columns.map(({ name }) => ({ name, type: 'VARCHAR' }))
  const isOdd = "error_type IN ('MISSING COLUMNS', 'TOO MANY COLUMNS')"
  const isOpen = "error_type = 'UNQUOTED VALUE'"
  const told = await rejects(
    connection,
    `count(*) FROM ${readerOf(file, optionsFor(given, texts))}`,
    `SELECT max(try_cast(regexp_extract(error_message, 'Found: (\\d+)', 1) AS BIGINT)) FILTER (${isOdd}), min(line) FILTER (${isOpen}),
       count(*) FILTER (NOT (${isOdd} OR ${isOpen})) FROM reject_errors`
  )
  const [most, openQuote, others] = told[0] ?? []
  if (typeof most !== 'bigint' || others !== 0n) return undefined
  return { most: Number(most), openQuote: typeof openQuote === 'bigint' ? Number(openQuote) : undefined }
}

/** A SELECT of all lines, with as many columns as the longest has fields, and nulls in the others. */
export async function evenedOut(
  connection: DuckDBConnection,
  file: string,
  given: Given,
  { most }: OddLines
): Promise<string> {
  const columns = widened(given.shape.columns, most)
  const optionsOf = (some: readonly DataColumn[]) => `${optionsFor(given, some)}, ${UNEVEN}`
  // Where a field is missing in the middle, those after it are in columns of other types.
  const found = await rejects(
    connection,
    `count(COLUMNS(*)) FROM ${readerOf(file, optionsOf(columns))}`,
    "SELECT DISTINCT column_name FROM reject_errors WHERE error_type = 'CAST'"
  )
  const mixed = new Set(found.map(([name]) => name))
  const typed = columns.map((column) => (mixed.has(column.name) ? { ...column, type: 'VARCHAR' } : column))
  // Without more files, or it would look for the columns itself.
  return `SELECT * FROM read_csv(${sqlText(file)}, hive_partitioning = false, ${optionsOf(typed)})`
}

const optionsFor = ({ shape, header }: Given, columns: readonly DataColumn[]): string =>
  `auto_detect = false, header = ${header}, skip = ${shape.skipped}, delim = ${sqlText(shape.delimiter)}, ${shape.marks}, columns = ${typesText(columns)}`

/** Columns without a name are called by their place, as DuckDB does. */
function widened(columns: readonly DataColumn[], count: number): DataColumn[] {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()))
  const more = Array.from({ length: Math.max(0, count - columns.length) }, (_, index) => {
    let name = `column${columns.length + index}`
    while (names.has(name)) name += '_1'
    return { name, type: 'VARCHAR' }
  })
  return [...columns, ...more]
}

const readerOf = (file: string, options: string): string =>
  `read_csv(${sqlText(file)}, hive_partitioning = false, ${options}, store_rejects = true, rejects_limit = ${MAX_LINES})`

/** Reads a file, and asks what was wrong with its lines. */
async function rejects(
  connection: DuckDBConnection,
  reading: string,
  question: string
): Promise<readonly (readonly unknown[])[]> {
  await connection.run(`SELECT ${reading}`)
  try {
    return (await connection.runAndReadAll(question)).getRows()
  } finally {
    await connection.run('DROP TABLE reject_errors; DROP TABLE reject_scans')
  }
}
