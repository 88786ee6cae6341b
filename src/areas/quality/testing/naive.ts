import type { Counted } from '../evaluation/statement.ts'
import type { Question } from './table.ts'

/** A row as the naive evaluation sees it. Times are milliseconds since 1970, and may be infinite. */
export interface NaiveRow {
  readonly id: number | null
  readonly t: string | null
  readonly x: number | null
  /** With a zone, without one (which is UTC), and a day without a time. */
  readonly at: number | null
  readonly ts: number | null
  readonly d: number | null
}

export interface NaiveQuestion extends Question {
  /** The same as `where` in the configuration. */
  readonly holds: (row: NaiveRow) => boolean
  /** Of `sql`: how many rows the query answers. */
  readonly answers?: (rows: readonly NaiveRow[]) => number
}

/** Every question row by row, as one would do it with a pencil. */
export function askNaively(
  { type, config, holds, answers }: NaiveQuestion,
  all: readonly NaiveRow[],
  keys: readonly (number | null)[]
): Counted {
  const rows = all.filter(holds)
  const found = (row: NaiveRow) => row[config.column as keyof NaiveRow]
  const having = rows.filter((row) => config.column === undefined || found(row) !== null)
  const counted = (some: readonly NaiveRow[], isWrong: (row: NaiveRow) => boolean): Counted => ({
    checked: some.length,
    failed: some.filter(isWrong).length,
    value: null
  })
  switch (type) {
    case 'notNull':
      return counted(rows, (row) => found(row) === null)
    case 'rowCount':
      return counted(rows, () => false)
    case 'range':
      return counted(having, (row) => isOutside(Number(found(row)), boundOf(config.min), boundOf(config.max)))
    case 'allowedValues':
      return counted(having, (row) => !(config.values ?? []).some((value) => meantBy(value, config) === found(row)))
    case 'regex':
      return counted(having, (row) => !new RegExp(config.pattern ?? '', 'u').test(String(found(row))))
    case 'referential':
      return counted(having, (row) => !keys.includes(row.id))
    case 'unique': {
      const key = (row: NaiveRow) => (config.columns ?? []).map((name) => row[name as keyof NaiveRow])
      const whole = rows.filter((row) => !key(row).includes(null))
      const isSame = (a: NaiveRow, b: NaiveRow) => key(a).every((part, at) => isEqual(part, key(b)[at]))
      return counted(whole, (row) => whole.filter((other) => isSame(row, other)).length > 1)
    }
    case 'freshness': {
      const times = having.map(found).filter((time) => Number.isFinite(time)) as number[]
      return { ...counted(having, () => false), value: times.length === 0 ? null : Math.max(...times) * 1000 }
    }
    case 'sql':
      return { checked: all.length, failed: answers?.(all) ?? 0, value: null }
    default:
      throw new Error(`There is no naive ${type}`)
  }
}

const TIMES: readonly (string | undefined)[] = ['at', 'ts', 'd']

/** A text is a time where the column has times. */
const meantBy = (value: string | number | boolean, { column }: NaiveQuestion['config']) =>
  typeof value === 'string' && TIMES.includes(column) ? Date.parse(value) : value

const boundOf = (bound: number | string | undefined): number | undefined =>
  typeof bound === 'string' ? Date.parse(bound) : bound

const isOutside = (value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): boolean =>
  Number.isNaN(value) || value < min || value > max

/** What is no number is like itself in a key, and −0 is 0. */
const isEqual = (a: unknown, b: unknown): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b))
