import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName, sqlText } from '../../relation.ts'
import type { DataColumn } from '../messages.ts'
import { type Dialect, namesOf } from './csv-dialect.ts'

/** The columns of a file, with types that all of its values have. */
export interface Typed {
  readonly columns: readonly DataColumn[]
  /** Options that say in which forms it has times. */
  readonly formats: string
}

/** Options of `read_csv` with which it finds nothing out by itself. */
export const optionsOf = (dialect: Dialect, { columns, formats }: Typed): string =>
  `auto_detect = false, ${marksText(dialect)}, header = false, skip = ${dialect.rowsFrom}${formats}, columns = ${typesText(columns)}, hive_partitioning = false`

const marksText = ({ delimiter, quote, escaping }: Dialect): string =>
  `delim = ${sqlText(delimiter)}, quote = ${sqlText(quote)}, escape = ${sqlText(escaping)}, comment = ''`

const typesText = (columns: readonly DataColumn[]): string =>
  `{${columns.map(({ name, type }) => `${sqlText(name)}: ${sqlText(type)}`).join(', ')}}`

/**
 * What all values of a file show. DuckDB by itself looks at the first 20,000 lines, and takes what comes after for the same: it rounds
 * decimals where only whole numbers came before, and can't go on where a text comes among numbers. So the file is looked at as a
 * whole, once, which takes about as long as to read it. It finds nothing out where some of the first lines are longer than others.
 */
export async function typesIn(connection: DuckDBConnection, file: string, dialect: Dialect): Promise<Typed> {
  return (await sniffed(connection, file, dialect)) ?? (await tried(connection, file, dialect))
}

async function sniffed(connection: DuckDBConnection, file: string, dialect: Dialect): Promise<Typed | undefined> {
  if (dialect.most > dialect.names.length) return undefined
  const names = dialect.names.map(sqlText).join(', ')
  const reader = await connection
    .runAndReadAll(
      `SELECT to_json(Columns)::VARCHAR, DateFormat, TimestampFormat FROM sniff_csv(${sqlText(file)}, ${marksText(dialect)}, header = false, skip = ${dialect.rowsFrom}, names = [${names}], null_padding = true, strict_mode = false, sample_size = -1)`
    )
    .catch((error: Error) => {
      // Whoever reads what is no UTF-8 without being told so is broken off.
      if (error.message.includes('Invalid unicode')) throw error
      return undefined
    })
  if (reader === undefined) return undefined
  const [found, date, timestamp] = reader.getRows()[0] ?? []
  const types = (JSON.parse(String(found)) as DataColumn[]).map(({ type }) => type)
  const formats = [
    ...(typeof date === 'string' ? [`, dateformat = ${sqlText(date)}`] : []),
    ...(typeof timestamp === 'string' ? [`, timestampformat = ${sqlText(timestamp)}`] : [])
  ].join('')
  return { columns: dialect.names.map((name, at) => ({ name, type: types[at] ?? 'VARCHAR' })), formats }
}

/** Forms of dates that are not those of SQL. All columns of a file have the same. */
const DATE_FORMS = ['%d.%m.%Y', '%m.%d.%Y', '%d/%m/%Y', '%m/%d/%Y', '%d-%m-%Y', '%m-%d-%Y', '%Y/%m/%d']
/** Types, and what a value must look like beside: DuckDB makes whole numbers of others, and dates of times. */
const TRIED = [
  ['BIGINT', "regexp_full_match(c, ' *[-+]?[0-9]+ *')"],
  ['DOUBLE', 'true'],
  ['DATE', 'length(trim(c)) <= 10'],
  ['TIMESTAMP', 'true']
] as const
/** A number that begins with a zero which says nothing is a text, such as the code of a place. */
const PADDED = "regexp_matches(c, '^[-+]?0[0-9]')"

/** The same by trying each type on each value. */
async function tried(connection: DuckDBConnection, file: string, dialect: Dialect): Promise<Typed> {
  const texts = dialect.names.map((name) => ({ name, type: 'VARCHAR' }))
  const wide = namesOf(dialect.names, dialect.most).map((name) => ({ name, type: 'VARCHAR' }))
  const options = optionsOf(dialect, { columns: wide, formats: '' })
  const counts = (column: string) =>
    [
      'count(c)',
      `count(*) FILTER (${PADDED})`,
      "count(*) FILTER (lower(c) IN ('true', 'false'))",
      ...TRIED.map(([type, like]) => `count(TRY_CAST(c AS ${type})) FILTER (${like})`),
      ...DATE_FORMS.map((form) => `count(TRY_STRPTIME(c, '${form}'))`)
    ]
      .join(', ')
      .replaceAll(/\bc\b/g, column)
  const questions = texts.map(({ name }) => counts(sqlName(name))).join(', ')
  const reader = await connection.runAndReadAll(
    `SELECT ${questions} FROM read_csv(${sqlText(file)}, ${options}, null_padding = true, parallel = false, ignore_errors = true)`
  )
  const [row = []] = reader.getRows()
  const each = 3 + TRIED.length + DATE_FORMS.length
  const answers = texts.map((_, at) => row.slice(at * each, (at + 1) * each).map(Number))
  const form = DATE_FORMS.find((_, at) =>
    answers.some(([all, , , ...of]) => all !== 0 && of[TRIED.length + at] === all)
  )
  const columns = texts.map(({ name }, at) => ({ name, type: typeOf(answers[at] as number[], form) }))
  return { columns, formats: form === undefined ? '' : `, dateformat = ${sqlText(form)}` }
}

function typeOf([all, padded, logical, ...fitting]: readonly number[], form: string | undefined): string {
  if (all === 0) return 'VARCHAR'
  if (logical === all) return 'BOOLEAN'
  const [found] =
    TRIED.find(([type], at) => fitting[at] === all && (padded === 0 || type === 'DATE' || type === 'TIMESTAMP')) ?? []
  // A form of dates is the form of all of them.
  if (found !== undefined && !(found === 'DATE' && form !== undefined)) return found
  return form !== undefined && fitting[TRIED.length + DATE_FORMS.indexOf(form)] === all ? 'DATE' : 'VARCHAR'
}
