import { basename } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { textProblem } from '../../../engines/duckdb-errors.ts'
import { maskedWhere } from '../../mask.ts'
import { selectOf, sqlName, sqlText, sqlTexts, type TextRelation } from '../../relation.ts'
import { columnsOf } from '../columns-of.ts'
import { openQuote } from '../file-failure.ts'
import type { NamedRelation } from '../messages.ts'
import { isPacked } from './beginning.ts'
import { optionsOf, type Typed, typesIn } from './csv-columns.ts'
import { type Dialect, dialectOf } from './csv-dialect.ts'
import { changing, evenedOut, type Known, linesIn } from './csv-lines.ts'
import { isAllUtf8, pathBefore, rewritten } from './rewritten.ts'

/** How a file is read: with options that others may share, by a SELECT of its own, or not at all, where it has no rows. */
type FileReading =
  | { readonly file: string; readonly options: string }
  | { readonly select: string }
  | { readonly names: readonly string[] }

/** What is the same for all files of a relation. */
type Asked = Pick<NamedRelation, 'mask'> & { readonly text: TextRelation; nameOf(file: string): string }

/**
 * The SQL that reads files of CSV as they turn out to be, each by itself: one with odd lines is read as such, and the others as if it
 * were not there.
 */
export async function csvReading(
  connection: DuckDBConnection,
  { files, names = [], mask }: Pick<NamedRelation, 'files' | 'names' | 'mask'>,
  text: TextRelation
): Promise<string> {
  const nameOf = (file: string) => names[files.indexOf(pathBefore(file))] ?? basename(file)
  const [groups, selects] = [new Map<string, string[]>(), [] as string[]]
  const empty: (readonly string[])[] = []
  for (const file of files) {
    const reading = await readingOf(connection, file, { text, mask, nameOf })
    if ('select' in reading) selects.push(reading.select)
    else if ('names' in reading) empty.push(reading.names)
    else groups.getOrInsertComputed(reading.options, () => []).push(reading.file)
  }
  for (const [options, some] of groups) selects.push(`SELECT * FROM read_csv(${sqlTexts(some)}, ${options})`)
  // Columns without a row have the types of other files.
  const type = selects.length === 0 ? '::VARCHAR' : ''
  const nothing = empty.map(
    (own) => `(SELECT ${own.map((name) => `NULL${type} AS ${sqlName(name)}`).join(', ')} WHERE false)`
  )
  return [...selects, ...nothing].join(' UNION ALL BY NAME ')
}

async function readingOf(connection: DuckDBConnection, file: string, asked: Asked): Promise<FileReading> {
  const dialect = await dialectOf(file, asked.text.delimiter)
  // Nothing is known of a file that has no text: DuckDB says what is wrong with it.
  if (dialect === undefined) return { select: selectOf('read_csv', [file], asked.text.options) }
  if (isPacked(file)) return readingWith(connection, file, dialect, asked)
  const anew = async () => readingWith(connection, await rewritten(file), dialect, asked)
  if (dialect.endsDiffer || !(await isAllUtf8(file))) return anew()
  try {
    return await readingWith(connection, file, dialect, asked)
  } catch (error) {
    if (textProblem(error) === 'mixed_line_ends') return anew()
    throw error
  }
}

/** Where most rows have more fields than there are names, a mask over some of these is over all. */
async function readingWith(
  connection: DuckDBConnection,
  file: string,
  dialect: Dialect,
  { mask, nameOf }: Asked
): Promise<FileReading> {
  const reading = await plainReadingWith(connection, file, dialect, { mask, nameOf })
  if (mask === undefined || mask === 'all' || !dialect.isShort || 'names' in reading) return reading
  const select = 'select' in reading ? reading.select : `SELECT * FROM read_csv(${sqlText(file)}, ${reading.options})`
  return { select: maskedWhere(select, await columnsOf(connection, select), 'true') }
}

async function plainReadingWith(
  connection: DuckDBConnection,
  file: string,
  dialect: Dialect,
  { mask, nameOf }: Pick<Asked, 'mask' | 'nameOf'>
): Promise<FileReading> {
  const typed = await typesIn(connection, file, dialect)
  const known: Known = { file, dialect, typed }
  if (dialect.isEven && changing(known).length === 0) return evenReading(connection, known, typed)
  const lines = await linesIn(connection, known)
  if (lines.odd === undefined) return evenReading(connection, known, lines.typed)
  // Whatever makes up for missing fields would take all that follows for one value.
  if (lines.odd.openQuote !== undefined) throw openQuote(`Line ${lines.odd.openQuote} of ${nameOf(file)}`)
  return { select: await evenedOut(connection, { ...known, typed: lines.typed }, lines.odd, mask) }
}

async function evenReading(connection: DuckDBConnection, { file, dialect }: Known, typed: Typed): Promise<FileReading> {
  const options = optionsOf(dialect, typed)
  if (!dialect.header || typed.columns.some(({ type }) => type !== 'VARCHAR')) return { file, options }
  const reader = await connection.runAndReadAll(`SELECT 1 FROM read_csv(${sqlText(file)}, ${options}) LIMIT 1`)
  return reader.currentRowCount > 0 ? { file, options } : { names: typed.columns.map(({ name }) => name) }
}
