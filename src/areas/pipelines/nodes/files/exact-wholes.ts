import { sqlName, sqlText } from '../../../../data/relation.ts'
import type { Column } from '../../duckdb/columns.ts'
import { type Dialect, isLong, options, type Shape, type Text, toldType } from './csv-shape.ts'
import type { Work } from './work.ts'

/** From here on not every whole number is a DOUBLE. */
const ROUNDED_FROM = 2 ** 53
const BIGINT_BELOW = 2 ** 63
const DECIMAL_BELOW = 1e38
/** Numbers with a fraction or an exponent are measured, and a DOUBLE is what they are meant as. */
const WHOLE = '[+-]?[0-9]+([.]0*)?'

/**
 * Types for columns of whole numbers of which a DOUBLE would lose digits, such as ids of 17 digits and more, by name. To be
 * asked of columns that nobody told and no earlier object has decided about, once they were read as DOUBLE.
 */
export async function exactTypes(
  work: Work,
  dialect: Dialect,
  shape: Shape,
  text: Text
): Promise<ReadonlyMap<string, string>> {
  const open = shape.columns.filter(
    ({ name, type }) =>
      type === 'DOUBLE' &&
      toldType(work.config.columns, name) === undefined &&
      work.types.types?.[name.toLowerCase()] === undefined
  )
  const large = await largestIn(work, open)
  // Pieces of a text with long lines can't be asked by themselves; the first rows have been looked at.
  const whole = isLong(text)
    ? open.filter(({ name, found }) => large.has(name) && found === 'BIGINT').map(({ name }) => name)
    : await wholeAmong(work, dialect, shape, text.path, [...large.keys()])
  return new Map(whole.map((name) => [name, typeFor(large.get(name) as number)]))
}

const typeFor = (largest: number): string =>
  largest < BIGINT_BELOW ? 'BIGINT' : largest < DECIMAL_BELOW ? 'DECIMAL(38,0)' : 'VARCHAR'

/** Says of columns that are DOUBLE because of an earlier object that they hold numbers here that it may round. */
export function roundedColumns(work: Work, columns: readonly Column[]): Promise<string[]> {
  const known = columns.filter(({ name }) => work.types.types?.[name.toLowerCase()] === 'DOUBLE')
  return roundedAmong(work, known, 'a DOUBLE, which it is since an earlier object,')
}

/** Says the same of numbers of JSON, which are DOUBLE where nobody tells otherwise. */
export function roundedNumbers(work: Work, columns: readonly Column[]): Promise<string[]> {
  const untold = columns.filter(({ name }) => toldType(work.config.columns, name) === undefined)
  return roundedAmong(work, untold, 'a DOUBLE, which numbers of JSON are,')
}

async function roundedAmong(work: Work, columns: readonly Column[], what: string): Promise<string[]> {
  const doubles = columns.filter(({ type }) => type === 'DOUBLE')
  return [...(await largestIn(work, doubles))].map(([name, largest]) => {
    const told = JSON.stringify({ [name]: largest < BIGINT_BELOW ? 'BIGINT' : 'HUGEINT' })
    return `has numbers in ${name} of which ${what} may lose digits; tell \`columns\` (${told}) if they are whole ones`
  })
}

/** The largest value of columns that have one which may have been rounded, by name. */
async function largestIn({ database, to }: Work, columns: readonly Column[]): Promise<Map<string, number>> {
  if (columns.length === 0) return new Map()
  const largest = 'max(greatest(abs(TRY_CAST(stats_min_value AS DOUBLE)), abs(TRY_CAST(stats_max_value AS DOUBLE))))'
  const answer = await database.runAndReadAll(
    `SELECT path_in_schema, ${largest} AS largest FROM parquet_metadata(${sqlText(to)}) GROUP BY 1 HAVING largest >= ${ROUNDED_FROM} AND isfinite(largest)`
  )
  const names = new Set(columns.map(({ name }) => name))
  const found = answer.getRows().map(([name, value]): [string, number] => [String(name), Number(value)])
  return new Map(found.filter(([name]) => names.has(name)))
}

/** Those of some columns whose numbers are all written as whole ones. */
async function wholeAmong(
  work: Work,
  dialect: Dialect,
  shape: Shape,
  path: string,
  names: readonly string[]
): Promise<string[]> {
  if (names.length === 0) return []
  const { csv } = work.config
  const columns = shape.columns.map(({ name }) => `${sqlText(name)}: 'VARCHAR'`).join(', ')
  const list = names.map((name) => {
    const digits =
      csv?.thousands === undefined ? sqlName(name) : `replace(${sqlName(name)}, ${sqlText(csv.thousands)}, '')`
    const number = csv?.decimal === ',' ? `translate(${digits}, ',', '.')` : digits
    return `count(*) FILTER (TRY_CAST(${number} AS DOUBLE) IS NOT NULL AND NOT regexp_full_match(${number}, ${sqlText(WHOLE)}) AND NOT contains(${number}, '_'))`
  })
  const answer = await work.database.runAndReadAll(
    `SELECT ${list.join(', ')} FROM read_csv(${sqlText(path)}, auto_detect = false, ${options(work, dialect)}, header = ${shape.hasHeader}, columns = {${columns}}, ignore_errors = true)`
  )
  const [counts = []] = answer.getRows()
  return names.filter((_, at) => Number(counts[at]) === 0)
}
