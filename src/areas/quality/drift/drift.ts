import { type Bin, CHANCE, type Comparison, compare, type Method } from './compare.ts'
import { type Cells, isOneValue, rowsOf, type Shape } from './shape.ts'
import { sum } from './statistics.ts'

/** A baseline, and what of it may be shown. */
export interface KnownBaseline {
  readonly id: string
  readonly column: string
  readonly cells: Cells
  readonly shape: Shape
  /** Whether values may be named to everybody who may read the data. */
  readonly isOpen: boolean
}

/** A number, or a time in ISO 8601. */
export type Shown = number | string

export interface Change<T> {
  readonly before: T
  readonly now: T
}

/** What has moved since the baseline. */
export interface Drift {
  readonly baselineId: string
  readonly method: Method
  readonly pValue: number
  readonly rows: Change<number>
  /** Percent of all rows. */
  readonly nulls: Change<number>
  /** Null for categories, and where values are not shown. */
  readonly mean: Change<Shown> | null
  readonly quantiles: readonly (Change<Shown> & { readonly rank: number })[]
  /** The bins and values whose shares, in percent, have changed most. */
  readonly moved: readonly (Change<number> & { readonly what: string })[]
  readonly newValues: readonly string[]
}

const MAX_MOVED = 10
/** Percent; what has changed less is not listed. */
const LEAST_MOVE = 0.1
const RANKS = [0.05, 0.25, 0.5, 0.75, 0.95]

export function driftOf({ id, cells, shape, isOpen }: KnownBaseline, now: Shape, method: Method) {
  const comparison = compare(cells, shape, now, method)
  const [rowsBefore, rowsNow] = [rowsOf(shape), rowsOf(now)]
  const shows = isOpen && cells.kind !== 'category'
  const drift: Drift = {
    baselineId: id,
    method,
    pValue: comparison.pValue,
    rows: { before: rowsBefore, now: rowsNow },
    nulls: { before: percent(shape.nulls, rowsBefore + shape.nulls), now: percent(now.nulls, rowsNow + now.nulls) },
    mean:
      shows && shape.mean !== null && now.mean !== null
        ? { before: shown(cells, shape.mean), now: shown(cells, now.mean) }
        : null,
    quantiles: shows ? quantilesOf(cells, shape, now) : [],
    moved: movedOf(comparison, cells, isOpen),
    newValues: isOpen && shape.counts.at(-1) === 0 ? now.strangers : []
  }
  return { measured: comparison.measured, isByChance: comparison.pValue >= CHANCE, drift }
}

const percent = (part: number, all: number): number => (all === 0 ? 0 : Math.round((part / all) * 1e6) / 1e4)

const MAX_DATE_US = 8.64e18

/** A value of a column as it is shown. */
export function shown({ kind }: Cells, value: number): Shown {
  if (kind === 'time' && Math.abs(value) <= MAX_DATE_US) return new Date(value / 1000).toISOString()
  // Without what only shows how numbers are kept.
  return Number(value.toPrecision(12))
}

function movedOf({ bins }: Comparison, cells: Cells, isOpen: boolean): Drift['moved'] {
  const [allBefore, allNow] = [sum(bins.map(({ before }) => before)), sum(bins.map(({ now }) => now))]
  return bins
    .map((bin, at) => ({
      what: isOpen ? nameOf(bin, cells) : `${cells.kind === 'category' ? 'value' : 'bin'} ${at + 1} of ${bins.length}`,
      before: percent(bin.before, allBefore),
      now: percent(bin.now, allNow)
    }))
    .filter(({ before, now }) => Math.abs(now - before) >= LEAST_MOVE)
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before))
    .slice(0, MAX_MOVED)
}

function nameOf({ first, last }: Bin, cells: Cells): string {
  if (first < 0) return 'NaN'
  if (cells.kind === 'category') return cells.values[first] ?? 'all others'
  const [from, to] = [cells.bounds[first - 1], cells.bounds[last]]
  const text = (bound: number) => String(shown(cells, bound))
  if (from === undefined) return `below ${text(cells.bounds[1] ?? (to as number))}`
  if (to === undefined) return `above ${text(from)}`
  return first === last && isOneValue(cells.bounds, last) ? text(to) : `above ${text(from)} to ${text(to)}`
}

/** As exact as the cells are: a value somewhere in a cell is taken to be as far in it as its rank is. */
function quantilesOf(cells: Cells, before: Shape, now: Shape): Drift['quantiles'] {
  return RANKS.flatMap((rank) => {
    const [a, b] = [quantileOf(cells, before, rank), quantileOf(cells, now, rank)]
    return a === undefined || b === undefined ? [] : [{ rank, before: shown(cells, a), now: shown(cells, b) }]
  })
}

function quantileOf({ bounds }: Cells, { counts, min, max }: Shape, rank: number): number | undefined {
  if (min === null || max === null) return undefined
  const wanted = rank * sum(counts)
  let passed = 0
  for (const [at, count] of counts.entries()) {
    if (count > 0 && passed + count >= wanted) {
      const from = Math.max(min, bounds[at - 1] ?? min)
      const to = Math.min(max, bounds[at] ?? max)
      return from + (to - from) * ((wanted - passed) / count)
    }
    passed += count
  }
  return max
}
