import { sqlName, sqlText } from '../../../../data/relation.ts'
import { runCounted } from '../../duckdb/database.ts'
import { isWhole } from '../../records/told-columns.ts'
import { type Dialect, options, type Shape, type ShapeColumn, type Text } from './csv-shape.ts'
import type { Work } from './work.ts'

/** What DuckDB takes for a value of a type as it reads, and for none as it finds the type out. */
interface Oddity {
  /** A pattern that no usual value has, for whatever is to be looked at closely. */
  readonly pattern: string
  /** SQL that is quick, and true of all that the pattern finds and little else, but for an underscore. */
  readonly suspect?: (text: string) => string
  /** What is expected instead, as a dead letter says it. */
  readonly form: string
}

const NUMBER: Oddity = {
  pattern: '^\\s*([+]|0[0-9])|_',
  // Most begin with 1 to 9, with 0 and a point, or with a minus.
  suspect: (text) => `(${text} < '0:' AND (${text} < '-' OR ${text} >= '00'))`,
  form: 'without zeros in front, plus or underscore'
}
const ODDITIES: Readonly<Record<string, Oddity>> = {
  DOUBLE: NUMBER,
  BIGINT: { ...NUMBER, pattern: `${NUMBER.pattern}|0[xXbBoO]` },
  'DECIMAL(38,0)': { ...NUMBER, pattern: `${NUMBER.pattern}|0[xXbBoO]` },
  BOOLEAN: { pattern: '^[01]$', form: 'in words' },
  TIME: { pattern: '[+-]', form: 'without an offset or a date' }
}
/** DuckDB forgets the offset where it reads a TIMESTAMP. Nothing is odd about one in a text that is cast. */
const OFFSET: Pick<Oddity, 'pattern' | 'suspect'> = {
  pattern: ':[0-9.]+[+-]',
  // Most are as long as 2026-03-01T10:00:00.
  suspect: (text) => `(strlen(${text}) <> 19 OR ${text}[17] <> ':')`
}

const oddityOf = ({ type, isTold }: ShapeColumn): Oddity | undefined => (isTold ? undefined : ODDITIES[type])

/** Columns of which DuckDB would change values in silence, unless they are read as texts. */
const isTrusted = (column: ShapeColumn): boolean =>
  column.readAs !== 'VARCHAR' &&
  (oddityOf(column) !== undefined || (!column.isTold && column.type === 'TIMESTAMP' && !column.hasFormat))

/** The same with texts in place of all that DuckDB would change in silence. */
export const readAsTexts = (shape: Shape): Shape => ({
  ...shape,
  columns: shape.columns.map((column) => (isTrusted(column) ? { ...column, readAs: 'VARCHAR' } : column))
})

/** What an exact number would be rounded by. */
const FRACTION = '[.][0-9]*[1-9][0-9]*\\s*$|[eE]-'
const isExact = (type: string): boolean => type === 'BIGINT' || type === 'DECIMAL(38,0)'

/** SQL of whether a text, with a point for its decimals, is odd among those of its column; undefined where none can be. */
export function oddIn(column: ShapeColumn, text: string): string | undefined {
  const pattern = oddityOf(column)?.pattern
  if (pattern === undefined) return undefined
  return `regexp_matches(${text}, ${sqlText(isExact(column.type) ? `${pattern}|${FRACTION}` : pattern)})`
}

/** What was expected in place of a value that is none of its column. */
export function expectedOf(column: ShapeColumn, got: string): string {
  const oddity = oddityOf(column)
  const isOdd = oddity !== undefined && new RegExp(oddity.pattern).test(got.replace(/^"(.*)"$/s, '$1'))
  return isOdd ? `${column.type} ${oddity.form}` : column.type
}

/**
 * Whether a text has such values, or may have them, anywhere: types are found by its beginning. Whatever comes early is seen there,
 * and makes texts of its column.
 */
export async function mayBeOdd(work: Work, dialect: Dialect, shape: Shape, text: Text): Promise<boolean> {
  const { database } = work
  const trusted = shape.columns.filter(isTrusted)
  if (trusted.length === 0) return false
  const columns = shape.columns.map(({ name }) => `${sqlText(name)}: 'VARCHAR'`).join(', ')
  const rejects = `store_rejects = true, rejects_table = 'odd_rejects', rejects_scan = 'odd_scans'`
  const hasUnderscore = text.hasUnderscore || !shape.hasHeader
  const odd = trusted.map((column) => looksOdd(column, hasUnderscore)).join(' OR ')
  try {
    const found = await database.runAndReadAll(
      `SELECT 1 FROM read_csv(${sqlText(text.path)}, auto_detect = false, ${options(work, dialect)}, header = ${shape.hasHeader}, columns = {${columns}}, ${rejects}) WHERE ${odd} LIMIT 1`
    )
    // DuckDB 1.5 loses lines where several threads read a text of which many are rejected.
    return found.currentRowCount > 0 || (await runCounted(database, 'SELECT count(*) FROM odd_rejects')) > 0
  } finally {
    await database.run('DROP TABLE IF EXISTS odd_rejects')
    await database.run('DROP TABLE IF EXISTS odd_scans')
  }
}

function looksOdd(column: ShapeColumn, hasUnderscore: boolean): string {
  const text = sqlName(column.name)
  const { pattern, suspect } = oddityOf(column) ?? OFFSET
  const matches = `regexp_matches(${text}, ${sqlText(pattern)})`
  if (suspect === undefined) return matches
  const isSuspect = suspect(text)
  return `(${hasUnderscore && pattern.includes('_') ? `(${isSuspect} OR contains(${text}, '_'))` : isSuspect} AND ${matches})`
}

/** Whether texts of a column are those of numbers, which may be written with other signs. */
export const isNumber = (type: string): boolean => isWhole(type) || type === 'DOUBLE' || type === 'DECIMAL(38,0)'
