import type { DuckDBConnection } from '@duckdb/node-api'
import { textProblem } from '../../../engines/duckdb-errors.ts'
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
      if (textProblem(error) === 'not_utf8') throw error
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

/** A type that a column may have, and the condition that a value `c` is of it. */
interface TypeCheck {
  readonly type: string
  /** Of dates that are not as SQL writes them. */
  readonly form?: string
  readonly fits: string
}

/** A number that begins with a zero which says nothing is a text, such as the code of a place. */
const PLAIN = "NOT regexp_matches(c, '^ *[-+]?0[0-9]')"
/** The first that fits counts. DuckDB makes whole numbers of others, and dates of times, so that more is asked of these. */
const CHECKS: readonly TypeCheck[] = [
  { type: 'BOOLEAN', fits: "lower(c) IN ('true', 'false')" },
  {
    type: 'BIGINT',
    fits: `${PLAIN} AND regexp_full_match(c, ' *[-+]?[0-9]+ *') AND TRY_CAST(c AS BIGINT) IS NOT NULL`
  },
  { type: 'DOUBLE', fits: `${PLAIN} AND TRY_CAST(c AS DOUBLE) IS NOT NULL` },
  ...DATE_FORMS.map((form) => ({ type: 'DATE', form, fits: `TRY_STRPTIME(c, '${form}') IS NOT NULL` })),
  { type: 'DATE', fits: 'length(trim(c)) <= 10 AND TRY_CAST(c AS DATE) IS NOT NULL' },
  { type: 'TIMESTAMP', fits: 'TRY_CAST(c AS TIMESTAMP) IS NOT NULL' }
]
/** What does not fit one of so many is not asked of the others: a value that does not fit takes DuckDB long. */
const FIRST_ROWS = 2000

/** The same by trying types on each value. */
async function tried(connection: DuckDBConnection, file: string, dialect: Dialect): Promise<Typed> {
  const wide = namesOf(dialect.names, dialect.most).map((name) => ({ name, type: 'VARCHAR' }))
  const options = optionsOf(dialect, { columns: wide, formats: '' })
  const all = `SELECT * FROM read_csv(${sqlText(file)}, ${options}, null_padding = true, parallel = false, ignore_errors = true)`
  const columns = dialect.names.map((name) => ({ name, checks: CHECKS }))
  const likely = await fitting(connection, `${all} LIMIT ${FIRST_ROWS}`, columns)
  const found = await fitting(connection, all, likely)
  const form = found.find(({ checks: [first] }) => first?.form !== undefined)?.checks[0]?.form
  const typed = found.map(({ name, checks }) => {
    const own = checks.find((check) => check.type !== 'DATE' || check.form === form)
    return { name, type: own?.type ?? 'VARCHAR' }
  })
  return { columns: typed, formats: form === undefined ? '' : `, dateformat = ${sqlText(form)}` }
}

interface Candidate {
  readonly name: string
  readonly checks: readonly TypeCheck[]
}

/** The columns with those of their checks that all of their values fit; without any, where they have no values. */
async function fitting(
  connection: DuckDBConnection,
  select: string,
  columns: readonly Candidate[]
): Promise<Candidate[]> {
  const questions = columns.flatMap(({ name, checks }) => {
    const column = sqlName(name)
    const asked = checks.map(({ fits }) => `count(*) FILTER (${fits.replaceAll(/\bc\b/g, () => column)})`)
    return [`count(${column})`, ...asked]
  })
  const reader = await connection.runAndReadAll(`SELECT ${questions.join(', ')} FROM (${select})`)
  const answers = (reader.getRows()[0] ?? []).map(Number).values()
  return columns.map(({ name, checks }) => {
    const count = answers.next().value as number
    const isFit = checks.map(() => answers.next().value === count)
    return { name, checks: count === 0 ? [] : checks.filter((_, at) => isFit[at]) }
  })
}
