import { basename } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { DataError } from '../../errors.ts'
import { selectOf, sqlName, sqlText } from '../../relation.ts'
import { columnsOf } from '../columns-of.ts'
import type { DataColumn, NamedRelation } from '../messages.ts'

/** One in so many is a few. */
const FEW = 100
const WHOLE = 'sample_size = -1'
const TIMES = /\b(?:DATE|TIME|TIMESTAMP)\b/
/** Enough to see in which form times are written. */
const TRIED_ROWS = 1000

/**
 * The SQL that reads files of JSON with columns and types that all of their values have. DuckDB looks at the first 20,000 values: a
 * column that comes later is left out, and decimals are rounded where only whole numbers came before. So all of it is looked at,
 * once, which takes a few times as long as to read it. Undefined where that finds nothing out.
 */
export async function jsonReading(
  connection: DuckDBConnection,
  { files, names = [] }: Pick<NamedRelation, 'files' | 'names'>,
  options: string
): Promise<string | undefined> {
  const select = (more: string) => selectOf('read_json', files, `${options}, ${more}`)
  const columns = await columnsOf(connection, select(WHOLE)).catch(() => undefined)
  if (columns === undefined || columns.length === 0) return undefined
  if (isValues(columns)) await requireRecords(connection, { files, names }, options)
  if (hasNumberedNames(columns)) return select(WHOLE)
  const typedAs = (all: readonly DataColumn[]) => select(`columns = {${all.map(typeText).join(', ')}}`)
  const texts = await textsAmong(connection, columns, typedAs(columns)).catch(() => new Set<string>())
  const typed = typedAs(columns.map((one) => (texts.has(one.name) ? { ...one, type: 'VARCHAR' } : one)))
  // Times are read in one form where columns are given, and in many where DuckDB finds them: it looks again with each statement then.
  return (await readsTimes(connection, columns, typed)) ? typed : select(WHOLE)
}

/** What DuckDB makes of values that are not all objects: one column of whole values. */
const isValues = ([only, more]: readonly DataColumn[]): boolean =>
  more === undefined && only?.name === 'json' && only.type === 'JSON'

/** Names the value that is no object, where nearly all others are: nobody would find the columns of these. */
async function requireRecords(
  connection: DuckDBConnection,
  { files, names = [] }: Pick<NamedRelation, 'files' | 'names'>,
  options: string
): Promise<void> {
  for (const [at, file] of files.entries()) {
    const values = selectOf('read_json', [file], `${options}, records = false, maximum_depth = 0`)
    const reader = await connection.runAndReadAll(
      `SELECT count(*), count(*) FILTER (NOT is_object), min(place) FILTER (NOT is_object)
       FROM (SELECT json_type(json) = 'OBJECT' AS is_object, row_number() OVER () AS place FROM (${values}))`
    )
    const [count = 0, others = 0, first = 0] = (reader.getRows()[0] ?? []).map(Number)
    if (others === 0 || others * FEW > count) continue
    const name = names[at] ?? basename(file)
    throw new DataError('data_unreadable', `Value ${first} of ${name} is no object, as the others are.`)
  }
}

/** Members whose names differ in case alone have numbers in the names of their columns, by which nothing is found in the file. */
function hasNumberedNames(columns: readonly DataColumn[]): boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()))
  return columns.some(({ name }) => {
    const before = /^(.*)_\d+$/s.exec(name.toLowerCase())?.[1]
    return before !== undefined && names.has(before)
  })
}

/**
 * Columns of texts among numbers or the like, which DuckDB would give as JSON, with quotation marks around each text. A few lists or
 * objects among them do not change the others, and are texts of JSON.
 */
async function textsAmong(
  connection: DuckDBConnection,
  columns: readonly DataColumn[],
  sql: string
): Promise<ReadonlySet<string>> {
  const mixed = columns.filter(({ type }) => type === 'JSON').map(({ name }) => name)
  if (mixed.length === 0) return new Set()
  const questions = mixed.map((name) => {
    const nested = `count(*) FILTER (json_type(${sqlName(name)}) IN ('OBJECT', 'ARRAY'))`
    return `count(${sqlName(name)}) > 0 AND ${nested} * ${FEW} <= count(${sqlName(name)})`
  })
  const reader = await connection.runAndReadAll(`SELECT ${questions.join(', ')} FROM (${sql})`)
  const [answers = []] = reader.getRows()
  return new Set(mixed.filter((_, place) => answers[place] === true))
}

const typeText = ({ name, type }: DataColumn): string => `${sqlText(name)}: ${sqlText(type)}`

async function readsTimes(connection: DuckDBConnection, columns: readonly DataColumn[], sql: string): Promise<boolean> {
  if (!columns.some(({ type }) => TIMES.test(type))) return true
  return connection.run(`SELECT count(COLUMNS(*)) FROM (${sql} LIMIT ${TRIED_ROWS})`).then(
    () => true,
    () => false
  )
}
