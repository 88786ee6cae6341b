import type { DuckDBConnection } from '@duckdb/node-api'
import { type Mask, maskedWhere } from '../../mask.ts'
import { sqlName, sqlText } from '../../relation.ts'
import type { DataColumn } from '../messages.ts'
import { optionsOf, type Typed } from './csv-columns.ts'
import { type Dialect, namesOf } from './csv-dialect.ts'

/** Lines that are told of, so that a file of nothing else does not fill the memory. */
const MAX_LINES = 10_000
/** What makes up for fields that a line has not. It is slower, and so only where need be. */
const UNEVEN = 'null_padding = true, parallel = false'
/** A time that says how far it is from UTC, or is there with it. */
const ZONED = '[0-9](Z|[-+][0-9]{2}(:?[0-9]{2})?)$'
/** Digits of the largest whole numbers that there is a type for. */
const MAX_DIGITS = 38

/** A file, and what is known of it. */
export interface Known {
  readonly file: string
  readonly dialect: Dialect
  readonly typed: Typed
}

/** What only a look at all lines of a file shows. */
export interface Lines {
  /** Its columns, where those that were found would change values. */
  readonly typed: Typed
  /** What lines with too few or too many fields come to; undefined where there are none. */
  readonly odd: OddLines | undefined
}

export interface OddLines {
  /** Fields in the longest of them. */
  readonly most: number
  readonly hasShort: boolean
  /** The first line with a quotation mark that nothing ends, where there is one. */
  readonly openQuote: number | undefined
}

/**
 * Goes through a file with all values as texts, so that DuckDB tells which lines it would refuse, and what its types would change: it
 * forgets how far a time is from UTC where others do not say so, and rounds whole numbers of more than 64 bits.
 */
export async function linesIn(connection: DuckDBConnection, known: Known): Promise<Lines> {
  const { columns, formats } = known.typed
  const changed = changing(known)
  const isOdd = "error_type IN ('MISSING COLUMNS', 'TOO MANY COLUMNS')"
  const isOpen = "error_type = 'UNQUOTED VALUE'"
  const { row, told } = await lookedThrough(
    connection,
    ['count(*)', ...changed.map(questionOf)].join(', '),
    readerOf(known, columns.map(asText), ''),
    `SELECT max(try_cast(regexp_extract(error_message, 'Found: (\\d+)', 1) AS BIGINT)) FILTER (${isOdd}), min(line) FILTER (${isOpen}),
       count(*) FILTER (NOT (${isOdd} OR ${isOpen})), count(*) FILTER (error_type = 'MISSING COLUMNS') FROM reject_errors`
  )
  const types = new Map(changed.map((column, at) => [column.name, typeAfter(column, row[at + 1])]))
  const typed = columns.map(({ name, type }) => ({ name, type: types.get(name) ?? type }))
  const [most, openQuote, others, short] = told[0] ?? []
  const isTold = typeof most === 'bigint' && others === 0n
  const odd = {
    most: Number(most),
    hasShort: short !== 0n,
    openQuote: typeof openQuote === 'bigint' ? Number(openQuote) : undefined
  }
  return { typed: { columns: typed, formats }, odd: isTold ? odd : undefined }
}

/** Columns whose types may change their values: what the first rows write with a point are no whole numbers. */
export const changing = ({ typed, dialect }: Known): DataColumn[] =>
  typed.columns.filter(({ type }, place) => type === 'TIMESTAMP' || (type === 'DOUBLE' && !dialect.decimals.has(place)))

/** What to ask of the texts of a column whose type may change them. */
function questionOf({ name, type }: DataColumn): string {
  const text = sqlName(name)
  if (type === 'TIMESTAMP')
    return `count(*) FILTER (regexp_matches(${text}, ${sqlText(ZONED)}) AND contains(${text}, ':'))`
  // Undefined where any is no whole number.
  return `CASE WHEN bool_or(contains(${text}, '.')) OR bool_or(NOT regexp_matches(${text}, '^ *[-+]?[0-9]+ *$')) THEN NULL ELSE max(length(${text})) END`
}

function typeAfter({ type }: DataColumn, answer: unknown): string {
  if (type === 'TIMESTAMP') return answer === 0n ? type : 'TIMESTAMP WITH TIME ZONE'
  if (typeof answer !== 'bigint') return type
  return answer <= MAX_DIGITS ? 'HUGEINT' : 'VARCHAR'
}

/** A SELECT of all lines, with as many columns as the longest has fields, and nulls in the others. */
export async function evenedOut(
  connection: DuckDBConnection,
  known: Known,
  { most, hasShort }: OddLines,
  mask: Mask | undefined
): Promise<string> {
  const { file, dialect, typed } = known
  const own = typed.columns
  const names = namesOf(dialect.names, Math.max(most, own.length))
  const columns = names.map((name, at) => own[at] ?? { name, type: 'VARCHAR' })
  // Where a field is missing in the middle, those after it are in columns of other types.
  const { told } = await lookedThrough(
    connection,
    'count(COLUMNS(*))',
    readerOf(known, columns, `, ${UNEVEN}`),
    "SELECT DISTINCT column_name FROM reject_errors WHERE error_type = 'CAST'"
  )
  const mixed = new Set(told.map(([name]) => name))
  const fitting = columns.map((column) => (mixed.has(column.name) ? asText(column) : column))
  const select = `SELECT * FROM read_csv(${sqlText(file)}, ${optionsOf(dialect, { ...typed, columns: fitting })}, ${UNEVEN})`
  if (mask === undefined || mask === 'all') return select
  const odd = [
    ...fitting.slice(own.length).map(({ name }) => `${sqlName(name)} IS NOT NULL`),
    ...(hasShort ? [`${sqlName((own.at(-1) as DataColumn).name)} IS NULL`] : [])
  ]
  return odd.length === 0 ? select : maskedWhere(select, fitting, odd.join(' OR '))
}

const asText = ({ name }: DataColumn): DataColumn => ({ name, type: 'VARCHAR' })

const readerOf = ({ file, dialect, typed }: Known, columns: readonly DataColumn[], more: string): string =>
  `read_csv(${sqlText(file)}, ${optionsOf(dialect, { ...typed, columns })}${more}, store_rejects = true, rejects_limit = ${MAX_LINES})`

/** Reads a file, and asks what was wrong with its lines. */
async function lookedThrough(
  connection: DuckDBConnection,
  questions: string,
  reader: string,
  ofRejects: string
): Promise<{ readonly row: readonly unknown[]; readonly told: readonly (readonly unknown[])[] }> {
  const answer = await connection.runAndReadAll(`SELECT ${questions} FROM ${reader}`)
  try {
    const told = (await connection.runAndReadAll(ofRejects)).getRows()
    return { row: answer.getRows()[0] ?? [], told }
  } finally {
    await connection.run('DROP TABLE reject_errors; DROP TABLE reject_scans')
  }
}
