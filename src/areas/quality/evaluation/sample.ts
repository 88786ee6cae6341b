import type { SessionAnswer } from '../../../data/data-session.ts'
import { isMasked, MASK_TEXT, type Mask } from '../../../data/mask.ts'
import type { DataQuery } from '../../../data/plane.ts'
import { sqlName, sqlText } from '../../../data/relation.ts'
import type { DataColumn, DataRow, DataValue } from '../../../data/sql-process/messages.ts'
import { kindOf } from './columns.ts'
import { DATASET } from './compile.ts'

/** All rows of a rule that are wrong. */
export interface RowsQuery {
  readonly sql: string
  readonly relations: Readonly<Record<string, string>>
}

export type SampleRow = Readonly<Record<string, DataValue>>

const SAMPLE_ROWS = 20
const MAX_COLUMNS = 100
const MAX_CHARS = 200
/** Of all rows of a result together. */
const MAX_SAMPLE_CHARS = 16_384
/** Of so many rules at once; each of them reads the data until it has its rows. */
const RULES_AT_ONCE = 20
/** The beginning of the data has so many rows at most, and fewer where there are many columns: it is held in memory. */
const MAX_BEGINNING_ROWS = 100_000
const MAX_BEGINNING_VALUES = 4_000_000
/** Rules for which so many rows of the beginning are enough are not asked of more. */
const FEW_ROWS = 4096
/** A sample is a help: where it takes long, there is none. */
const SAMPLE_MS = 20_000

/** The data plane, or a session of it with these data. */
export interface Sampled {
  query(query: DataQuery): Promise<SessionAnswer>
}

interface Needs {
  readonly plane: Sampled
}

/** Rows of a rule that are looked for. */
export interface WantedRows {
  readonly query: RowsQuery
  /** Holds for the rows that are wrong; undefined where other rows matter too. */
  readonly wrong: string | undefined
  /** So many are known to be there, of so many that were checked. */
  readonly count: number
  readonly checked: number
}

/**
 * The first rows that are wrong, of several rules with the columns of one dataset. What is secret is masked by the
 * statement itself, so that it never leaves the process that reads the data; long texts are cut there too.
 */
export async function samplesOf(
  { plane }: Needs,
  columns: readonly DataColumn[],
  mask: Mask | undefined,
  wanted: readonly WantedRows[],
  signal: AbortSignal
): Promise<SampleRow[][]> {
  const shown = columns.slice(0, MAX_COLUMNS)
  const found: SampleRow[][] = wanted.map(() => [])
  const read = async (sql: string, relations: RowsQuery['relations']) => {
    const limits = { timeoutMs: SAMPLE_MS, maxRows: SAMPLE_ROWS * wanted.length }
    for (const [places = [], ...values] of await (await plane.query({ sql, relations, limits, signal })).rows()) {
      const row = rowOf(shown, values)
      for (const place of Array.isArray(places) ? places : []) found[Number(place)]?.push(row)
    }
  }
  const first = atBeginning(shown, mask, wanted)
  if (first !== undefined) await read(first.sql, first.relations)
  const list = shown.map((column) => `${shownAs(column, mask)} AS ${sqlName(column.name)}`).join(', ')
  const left = [...wanted.keys()].filter((at) => isLacking(found[at], wanted[at]))
  for (let from = 0; from < left.length; from += RULES_AT_ONCE) {
    const some = left.slice(from, from + RULES_AT_ONCE)
    for (const at of some) found[at] = []
    const parts = some.map((at) => `(SELECT [${at}], ${list} FROM (${wanted[at]?.query.sql}) LIMIT ${SAMPLE_ROWS})`)
    await read(parts.join(' UNION ALL '), Object.assign({}, ...some.map((at) => wanted[at]?.query.relations)))
  }
  return found.map(kept)
}

const isLacking = (found: readonly SampleRow[] = [], wanted: WantedRows | undefined): boolean =>
  found.length < Math.min(SAMPLE_ROWS, wanted?.count ?? 0)

/** In so many rows there are twice as many that are wrong as a sample has, if they are spread evenly. */
const rowsLookedAt = ({ count, checked }: WantedRows): number => Math.ceil((2 * SAMPLE_ROWS * checked) / count)

/**
 * Looks for rows of all rules at the beginning of the data, where most that is wrong often is wrong already. Rules for which few rows are
 * enough are asked of these alone, so that the few rules that need many do not make it long for all.
 */
function atBeginning(shown: readonly DataColumn[], mask: Mask | undefined, wanted: readonly WantedRows[]) {
  const places = [...wanted.keys()].filter((at) => wanted[at]?.wrong !== undefined)
  if (places.length < 2) return undefined
  const most = Math.min(MAX_BEGINNING_ROWS, Math.floor(MAX_BEGINNING_VALUES / (shown.length + places.length)))
  const rows = new Map(places.map((at) => [at, Math.min(most, rowsLookedAt(wanted[at] as WantedRows))]))
  const values = shown.map((column, at) => `${shownAs(column, mask)} AS c${at}`)
  const beginnings = Map.groupBy(places, (at) => ((rows.get(at) as number) <= FEW_ROWS ? 'few' : 'many'))
  const tables = [...beginnings].map(([name, some]) => {
    const wrong = (at: number) => `(${wanted[at]?.wrong})`
    const marks = some.map((at) => `CASE WHEN ${wrong(at)} THEN ${at} END`)
    const limit = Math.max(...some.map((at) => rows.get(at) as number))
    // Few rows are held faster than they are asked twice.
    const where = name === 'few' ? '' : ` WHERE ${some.map(wrong).join(' OR ')}`
    const from = `(FROM ${DATASET} LIMIT ${limit}) AS ${DATASET}${where}`
    return `${name} AS MATERIALIZED (SELECT row_number() OVER () AS r, ${values.join(', ')}, [${marks.join(', ')}] AS marks FROM ${from})`
  })
  const list = shown.map((_, at) => `c${at}`).join(', ')
  // One SELECT or one aggregate for each rule would take DuckDB longer to plan than to run.
  const parts = [...beginnings.keys()].map((name) => {
    const marked = `SELECT unnest(marks) AS place, r FROM ${name}`
    const firsts = `SELECT place, unnest(min(r, ${SAMPLE_ROWS})) AS r FROM (${marked}) WHERE place IS NOT NULL GROUP BY place`
    return `SELECT places, r, ${list} FROM (SELECT list(place) AS places, r FROM (${firsts}) GROUP BY r) JOIN ${name} USING (r)`
  })
  const relations = Object.assign({}, ...places.map((at) => wanted[at]?.query.relations))
  const all = `SELECT places, ${list} FROM (${parts.join(' UNION ALL ')}) ORDER BY r`
  return { sql: `WITH ${tables.join(', ')} ${all}`, relations }
}

/** Of a query whose columns nobody knows: nothing where the data hold anything secret, which could be in any of them. */
export async function sampleOfSql(
  { plane }: Needs,
  mask: Mask | undefined,
  { sql, relations }: RowsQuery,
  signal: AbortSignal
): Promise<SampleRow[]> {
  if (mask !== undefined) return []
  const limits = { timeoutMs: SAMPLE_MS, maxRows: SAMPLE_ROWS }
  const answer = await plane.query({ sql: `SELECT * FROM (${sql}) LIMIT ${SAMPLE_ROWS}`, relations, limits, signal })
  const shown = answer.columns.slice(0, MAX_COLUMNS)
  return kept((await answer.rows()).map((row) => rowOf(shown, row.map(cut))))
}

function cut(value: DataValue): DataValue {
  if (typeof value === 'string') return value.slice(0, MAX_CHARS)
  return typeof value === 'object' && value !== null ? JSON.stringify(value).slice(0, MAX_CHARS) : value
}

/** As many of the first rows as a result has room for. */
function kept(rows: readonly SampleRow[]): SampleRow[] {
  let chars = 0
  return rows.filter((row) => {
    chars += JSON.stringify(row).length
    return chars <= MAX_SAMPLE_CHARS
  })
}

function shownAs({ name, type }: DataColumn, mask: Mask | undefined): string {
  if (mask !== undefined && isMasked(mask, name)) return sqlText(MASK_TEXT)
  const kind = kindOf(type)
  if (kind === 'text' || kind === 'other') return `left(${sqlName(name)}::VARCHAR, ${MAX_CHARS})`
  return sqlName(name)
}

const rowOf = (columns: readonly DataColumn[], values: DataRow): SampleRow =>
  Object.fromEntries(columns.map(({ name }, at) => [name, values[at] ?? null]))
