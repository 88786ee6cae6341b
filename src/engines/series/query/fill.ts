import { givesPointValue } from './functions.ts'
import type { Fill, Query, SeriesFunction } from './plan.ts'
import type { TagRows } from './rows.ts'

type Exact = (string | bigint | undefined)[]

/**
 * Gives every bucket a row. Only buckets without points are filled: where a function has no value although there are
 * points, none is made up. `starts` are the beginnings of all buckets of the range.
 */
export function fillRows(rows: TagRows, query: Pick<Query, 'fill' | 'functions'>, starts: Float64Array): TagRows {
  if (query.fill === 'none' || rows.type === undefined) return rows
  const places = placesOf(rows, starts)
  const filled = query.functions.map((name, place) => {
    const column = columnAt(rows, place, places)
    fillColumn(column, starts, places, fillOf(query.fill, name, rows.type))
    return column
  })
  return {
    ...rows,
    length: starts.length,
    ms: starts,
    columns: filled.map((column) => column.values),
    exact: filled.map((column) => column.exact),
    counts: rows.counts && spread(rows.counts, places, 0),
    percentGood: rows.percentGood && spread(rows.percentGood, places, Number.NaN)
  }
}

interface Column {
  readonly values: Float64Array
  readonly exact: Exact | undefined
}

/** Texts and booleans can't be interpolated. */
function fillOf(fill: Fill, name: SeriesFunction, type: TagRows['type']): Fill | 'zero' {
  if (name === 'count') return 'zero'
  const isNumber = !givesPointValue(name) || (type !== 'string' && type !== 'boolean')
  return fill === 'linear' && !isNumber ? 'previous' : fill
}

/** The index of each bucket in `rows`; -1 for those that have none. */
function placesOf(rows: TagRows, starts: Float64Array): Int32Array {
  let next = 0
  return Int32Array.from(starts, (startMs) => (rows.ms[next] === startMs ? next++ : -1))
}

function columnAt(rows: TagRows, place: number, places: Int32Array): Column {
  const exact = rows.exact[place]
  return {
    values: spread(rows.columns[place] as Float64Array, places, Number.NaN),
    exact: exact && Array.from(places, (row) => (row < 0 ? undefined : exact[row]))
  }
}

function spread(column: Float64Array, places: Int32Array, otherwise: number): Float64Array {
  return Float64Array.from(places, (row) => (row < 0 ? otherwise : (column[row] as number)))
}

function fillColumn(column: Column, starts: Float64Array, places: Int32Array, fill: Fill | 'zero'): void {
  if (fill === 'zero') fillZero(column.values, places)
  if (fill === 'previous') fillPrevious(column, places)
  if (fill === 'linear') fillLinear(column.values, starts, places)
}

function fillZero(values: Float64Array, places: Int32Array): void {
  for (let at = 0; at < places.length; at++) if ((places[at] as number) < 0) values[at] = 0
}

function fillPrevious({ values, exact }: Column, places: Int32Array): void {
  let known = -1
  for (let at = 0; at < places.length; at++) {
    if ((places[at] as number) >= 0) {
      if (!Number.isNaN(values[at]) || exact?.[at] !== undefined) known = at
    } else if (known >= 0) {
      values[at] = values[known] as number
      if (exact !== undefined) exact[at] = exact[known]
    }
  }
}

function fillLinear(values: Float64Array, starts: Float64Array, places: Int32Array): void {
  let known = -1
  for (let at = 0; at < places.length; at++) {
    if ((places[at] as number) < 0 || Number.isNaN(values[at])) continue
    if (known >= 0) drawLine(values, starts, places, known, at)
    known = at
  }
}

function drawLine(values: Float64Array, starts: Float64Array, places: Int32Array, from: number, to: number): void {
  const [fromMs, toMs] = [starts[from] as number, starts[to] as number]
  const [low, high] = [values[from] as number, values[to] as number]
  for (let at = from + 1; at < to; at++) {
    if ((places[at] as number) >= 0) continue
    values[at] = low + (high - low) * (((starts[at] as number) - fromMs) / (toMs - fromMs))
  }
}
