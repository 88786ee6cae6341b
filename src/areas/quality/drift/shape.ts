import { sqlName, sqlText } from '../../../data/relation.ts'
import type { DataColumn, DataValue } from '../../../data/sql-process/messages.ts'
import { type ColumnKind, kindOf } from '../evaluation/columns.ts'
import { sum } from './statistics.ts'

/** What a column is to a comparison: numbers and times have an order, categories have none. */
export const SHAPE_KINDS = ['number', 'time', 'category'] as const
export type ShapeKind = (typeof SHAPE_KINDS)[number]

/** Where the rows of a column are counted. It is the same for the baseline and for all that is compared with it. */
export interface Cells {
  readonly kind: ShapeKind
  /** Of numbers and times (microseconds since 1970): each cell reaches up to its bound, and one more lies above them all. */
  readonly bounds: readonly number[]
  /** Of categories: each has a cell, and all other values share one more. */
  readonly values: readonly string[]
}

/** How the values of a column are distributed. */
export interface Shape {
  /** One for each bound or value, and one for all else. */
  readonly counts: readonly number[]
  /** Values that are no numbers (NaN). */
  readonly notNumbers: number
  readonly nulls: number
  /** Of values that are finite; null where there are none, and for categories. */
  readonly mean: number | null
  readonly min: number | null
  readonly max: number | null
  /** Categories that have no cell, the most frequent first; some only. */
  readonly strangers: readonly string[]
}

const KINDS: Readonly<Record<ColumnKind, ShapeKind | undefined>> = {
  whole: 'number',
  float: 'number',
  time: 'time',
  text: 'category',
  boolean: 'category',
  other: undefined
}

export const shapeKindOf = ({ type }: DataColumn): ShapeKind | undefined => KINDS[kindOf(type)]

/** The points at which the quantiles of a baseline are taken. */
const GRID = 200
/** Rows of which the bounds are found; the rows in cells are counted in all of them. */
const GRID_ROWS = 100_000
const MAX_VALUES = 100
const MAX_VALUE_CHARS = 200
const MAX_STRANGERS = 5

/** The column as what is compared: a number, or a text. It is null where it is not compared. */
export function valueSql({ name, type }: DataColumn): string {
  const column = sqlName(name)
  switch (shapeKindOf({ name, type })) {
    case 'number':
      return `${column}::DOUBLE`
    case 'time':
      return `CASE WHEN isfinite(${column}) THEN epoch_us(${column}${type === 'DATE' ? '::TIMESTAMP' : ''})::DOUBLE END`
    default:
      return `left(${column}::VARCHAR, ${MAX_VALUE_CHARS})`
  }
}

/** A SELECT of what cells are made of, over rows for which a condition holds. */
export function cellsSql(column: DataColumn, relation: string, where: string): string {
  const value = valueSql(column)
  if (shapeKindOf(column) === 'category') {
    return `SELECT approx_top_k(${value}, ${MAX_VALUES}) FILTER (WHERE ${where} AND ${value} IS NOT NULL) FROM ${relation}`
  }
  const ranks = Array.from({ length: GRID + 1 }, (_, at) => at / GRID)
  const values = `SELECT ${value} AS value FROM ${relation} WHERE ${where} AND isfinite(${value})`
  return `SELECT quantile_disc(value, [${ranks.join(', ')}]) FROM (SELECT * FROM (${values}) USING SAMPLE reservoir(${GRID_ROWS} ROWS) REPEATABLE (1))`
}

/** The cells that the answer to `cellsSql` makes; undefined where there were no values. */
export function cellsOf(column: DataColumn, answer: DataValue | undefined): Cells | undefined {
  const kind = shapeKindOf(column)
  if (kind === undefined || !Array.isArray(answer) || answer.length === 0) return undefined
  if (kind === 'category') return { kind, bounds: [], values: answer.map(String).sort() }
  return { kind, bounds: boundsOf(answer.map(Number)), values: [] }
}

/**
 * Bounds at quantiles. A value that holds more rows than a cell should is a cell by itself, with a bound right below it;
 * so are the least and the greatest, so that what lies beyond all that there was is seen.
 */
function boundsOf(quantiles: readonly number[]): number[] {
  const bounds = new Set<number>()
  for (const [at, value] of quantiles.entries()) {
    if (at === 0 || value === quantiles[at - 1]) bounds.add(below(value))
    bounds.add(value)
  }
  return [...bounds].filter(Number.isFinite).sort((a, b) => a - b)
}

const DOUBLE = new DataView(new ArrayBuffer(8))

/** The greatest number that is less than this one. */
function below(value: number): number {
  if (value === 0) return -Number.MIN_VALUE
  DOUBLE.setFloat64(0, value)
  DOUBLE.setBigInt64(0, DOUBLE.getBigInt64(0) + (value > 0 ? -1n : 1n))
  return DOUBLE.getFloat64(0)
}

/** An aggregate that counts rows in cells, for rows that `where` holds for; `isOpen` where it may name values. */
export function shapeSql(column: DataColumn, cells: Cells, where: string, isOpen: boolean): string {
  const value = valueSql(column)
  const counting = (condition: string) => `count(*) FILTER (WHERE ${where} AND ${condition})`
  const nulls = `nulls: ${counting(`${sqlName(column.name)} IS NULL`)}`
  if (cells.kind === 'category') {
    const values = `[${cells.values.map(sqlText).join(', ')}]::VARCHAR[]`
    const counts = `histogram_exact(${value}, ${values}) FILTER (WHERE ${where} AND ${value} IS NOT NULL)`
    const strangers = `approx_top_k(${value}, ${MAX_STRANGERS}) FILTER (WHERE ${where} AND NOT list_contains(${values}, ${value}))`
    return `{counts: ${counts}, ${nulls}${isOpen ? `, strangers: ${strangers}` : ''}}`
  }
  const numbers = `${where} AND ${value} IS NOT NULL AND NOT isnan(${value})`
  const finite = `FILTER (WHERE ${where} AND isfinite(${value}))`
  const counts = `histogram(${value}, [${cells.bounds.map(doubleSql).join(', ')}]::DOUBLE[]) FILTER (WHERE ${numbers})`
  const facts = [`mean: avg(${value}) ${finite}`, `min: min(${value}) ${finite}`, `max: max(${value}) ${finite}`]
  return `{counts: ${counts}, notNumbers: ${counting(`isnan(${value})`)}, ${nulls}, ${facts.join(', ')}}`
}

/** Rows that are compared. */
export const rowsOf = ({ counts, notNumbers }: Pick<Shape, 'counts' | 'notNumbers'>): number => sum(counts) + notNumbers

/**
 * By how much a Kolmogorov–Smirnov distance may be too small: the largest share of rows between two bounds, which can’t
 * be told apart. A cell of a single value has nothing in between.
 */
export function resolutionOf({ kind, bounds }: Cells, shape: Shape): number {
  if (kind === 'category') return 0
  return Math.max(...shape.counts.map((count, at) => (isOneValue(bounds, at) ? 0 : count / rowsOf(shape))))
}

/** Whether a cell holds a single value, so that nothing lies between its bounds. */
export function isOneValue(bounds: Cells['bounds'], at: number): boolean {
  const [from, to] = [bounds[at - 1], bounds[at]]
  return from !== undefined && to !== undefined && below(to) === from
}

/** With an exponent it is a DOUBLE to the last digit; without one it would be a DECIMAL first, and rounded. */
const doubleSql = (value: number): string => value.toExponential()

type Found = Readonly<Record<string, DataValue>>

/** What the aggregate of `shapeSql` found. */
export function shapeOf(cells: Cells, answer: DataValue | undefined): Shape {
  const found = (typeof answer === 'object' && answer !== null ? answer : {}) as Found
  const number = (value: DataValue | undefined) => (value === null || value === undefined ? null : Number(value))
  return {
    counts: countsOf(cells, Array.isArray(found.counts) ? (found.counts as Found[]) : []),
    notNumbers: number(found.notNumbers) ?? 0,
    nulls: number(found.nulls) ?? 0,
    mean: number(found.mean),
    min: number(found.min),
    max: number(found.max),
    strangers: Array.isArray(found.strangers) ? found.strangers.map(String) : []
  }
}

/** DuckDB names cells by their bounds or values, in an order of its own, and what is in none of them comes last. */
function countsOf({ kind, bounds, values }: Cells, entries: readonly Found[]): number[] {
  const keys = kind === 'category' ? values : bounds
  const byKey = new Map(entries.slice(0, keys.length).map(({ key, value }) => [key, Number(value)]))
  const rest = entries[keys.length]
  return [...keys.map((key) => byKey.get(key) ?? 0), rest === undefined ? 0 : Number(rest.value)]
}
