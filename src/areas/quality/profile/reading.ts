import type { DataColumn, DataRow, DataValue } from '../../../data/sql-process/messages.ts'
import { kindOf } from '../evaluation/columns.ts'
import { LOOKS } from './looks.ts'
import type { ColumnProfile } from './schema.ts'
import { type AskedColumn, BINS, isLong, isNumeric, MAX_SQUARABLE, QUANTILES } from './statement.ts'
import { numberShown, textShown } from './values.ts'

/** What the only row of a statement says of its columns. */
export interface Told {
  readonly rows: number
  readonly columns: ColumnProfile[]
}

const LISTS = ['counts', 'tops', 'forms', 'looks', 'quantiles', 'bounds', 'bins'] as const
type Item = Readonly<Record<string, DataValue>>

/** What was found of one column. */
interface Found {
  readonly rows: number
  /** Whether all values were drawn. */
  readonly isExact: boolean
  value(name: string): DataValue
  items(list: (typeof LISTS)[number]): readonly Item[]
}

/**
 * Whatever part of the values drawn is asked for, and whatever rank, it is off by no more than this over the root of
 * their number, in 95 of 100 cases (Dvoretzky, Kiefer and Wolfowitz).
 */
const DRAWN_ERROR = 1.36
/** Three standard errors of the sketch that DuckDB counts with, which has 64 registers: 3 × 1.04 / √64. */
export const SKETCH_ERROR = 0.4

/** Reads the answer of `profileSql`. `isWhole`: whether all rows were looked at, and not a sample of them. */
export function readProfile(
  asked: readonly AskedColumn[],
  answer: readonly DataColumn[],
  row: DataRow,
  isWhole: boolean
): Told {
  const byName = new Map(answer.map(({ name }, at) => [name, row[at] ?? null]))
  const rows = Number(byName.get('total'))
  const isExact = isWhole && Number(byName.get('drawn')) === rows
  const itemsOf = new Map(
    LISTS.map((list) => [list, Map.groupBy((byName.get(list) ?? []) as readonly Item[], ({ nr }) => Number(nr))])
  )
  const columns = asked.map((column, at) =>
    profileOf(column, {
      rows,
      isExact,
      value: (name) => byName.get(`${name}${at}`) ?? null,
      items: (list) => itemsOf.get(list)?.get(at) ?? []
    })
  )
  return { rows, columns }
}

function profileOf(column: AskedColumn, found: Found): ColumnProfile {
  const { name, type, isSecret } = column
  const { value, items } = found
  const kind = kindOf(type)
  const count = Number(value('n'))
  const isSquarable = [value('lo'), value('hi')].every((bound) => Math.abs(Number(bound)) < MAX_SQUARABLE)
  const moment = (of: string) => (value(of) === null || (type === 'DOUBLE' && !isSquarable) ? null : Number(value(of)))
  const [mean, stddev] = [moment('avg'), moment('sd')]
  return {
    name,
    type,
    masked: isSecret,
    problem: null,
    count,
    nulls: found.rows - count,
    nan: kind === 'float' ? Number(value('nan')) : null,
    infinite: kind === 'float' || kind === 'time' ? Number(value('inf')) : null,
    distinct: distinctOf(column, count, found),
    min: value('lo') as ColumnProfile['min'],
    max: value('hi') as ColumnProfile['max'],
    mean: mean === null ? null : numberShown(mean, type),
    stddev: stddev === null ? null : kind === 'time' ? stddev / 1e6 : stddev,
    quantiles: quantilesOf(column, found),
    histogram: histogramOf(column, found),
    top: items('tops').map(({ v, n }) => ({ value: textShown(String(v), type), count: Number(n) })),
    lengths:
      isLong(type) && !isSecret && count > 0
        ? { min: Number(value('ll')), max: Number(value('lh')), mean: Number(value('la')) }
        : null,
    patterns: items('forms').map(({ form, n }) => ({ pattern: String(form), count: Number(n) })),
    looksLike: kind === 'text' ? looksOf(found) : null,
    drawn: kind === 'other' ? null : drawnOf(found)
  }
}

function drawnOf({ isExact, items }: Found): ColumnProfile['drawn'] {
  const values = Number(items('counts')[0]?.n ?? 0)
  return { values, exact: isExact, error: isExact ? 0 : Math.min(1, DRAWN_ERROR / Math.sqrt(values)) }
}

/**
 * Where no drawn value is the only one of its kind, hardly any kind was missed: then those that were drawn are all, unless
 * the sketch says clearly that there are more.
 */
function distinctOf({ type }: AskedColumn, count: number, { isExact, value, items }: Found): ColumnProfile['distinct'] {
  const kind = kindOf(type)
  const { differing = 0, once = 0 } = items('counts')[0] ?? {}
  const drawn = Number(differing)
  if (kind === 'boolean' || count === 0) return { count: Number(value('s') ?? 0) * Number(count > 0), exact: true }
  if (isExact && kind !== 'other') return { count: drawn, exact: true }
  const estimate = Math.min(count, Math.max(drawn, Number(value('s')), 1))
  const isAll = Number(once) === 0 && drawn > 0 && estimate <= drawn * (1 + SKETCH_ERROR)
  return { count: isAll ? drawn : estimate, exact: false }
}

function quantilesOf({ type }: AskedColumn, { items }: Found): ColumnProfile['quantiles'] {
  const values = (items('quantiles')[0]?.q ?? []) as readonly DataValue[]
  return values.map((value, at) => ({ quantile: QUANTILES[at] as number, value: numberShown(Number(value), type) }))
}

/** A bin for each twentieth of the way from the least to the greatest value; one alone where these are the same. */
function histogramOf({ type }: AskedColumn, { items }: Found): ColumnProfile['histogram'] {
  const [bounds] = items('bounds')
  const counts = new Map(items('bins').map(({ bin, n }) => [Number(bin), Number(n)]))
  if (bounds === undefined || bounds.lo === null || !isNumeric(kindOf(type))) return []
  const [lo, hi] = [Number(bounds.lo), Number(bounds.hi)]
  const bins = lo < hi ? BINS : 1
  const edge = (at: number) => numberShown(at === bins ? hi : lo * (1 - at / bins) + hi * (at / bins), type)
  return Array.from({ length: bins }, (_, at) => ({ from: edge(at), to: edge(at + 1), count: counts.get(at) ?? 0 }))
}

function looksOf({ items }: Found): ColumnProfile['looksLike'] {
  const counts = new Map(items('looks').map(({ look, n }) => [look, Number(n)]))
  return Object.fromEntries(LOOKS.map((look) => [look, counts.get(look) ?? 0])) as ColumnProfile['looksLike']
}
