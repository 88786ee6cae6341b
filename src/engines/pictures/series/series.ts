import { MAX_SERIES } from '../limits.ts'
import { drawable, type Span } from '../numbers/ticks.ts'
import { boundedTime } from '../numbers/times.ts'
import type { Cell, Frame, PanelPicture } from '../picture.ts'

/** Numbers over times or places, in the order of these. A value that is not there is NaN, in here only. */
export interface Series {
  readonly name: string
  readonly unit: string | undefined
  readonly xs: Float64Array
  readonly ys: Float64Array
}

export interface SeriesData {
  readonly series: readonly Series[]
  /** How many there are besides. */
  readonly more: number
  /** The names of the places; undefined where they are times. */
  readonly categories: readonly string[] | undefined
}

const isNumeric = (type: string) => type === 'number' || type === 'boolean'

/** What of the frames can be drawn over an axis: over times where there are any, else over the texts before the numbers. */
export function seriesOf({ frames, timeRange }: PanelPicture): SeriesData {
  const withTimes = frames.filter(({ columns }) => columns.some(({ type }) => type === 'time'))
  const used = withTimes.length > 0 ? withTimes : frames
  const total = used.reduce((sum, { columns }) => sum + columns.filter(({ type }) => isNumeric(type)).length, 0)
  const series: Series[] = []
  for (const frame of used) {
    if (series.length >= MAX_SERIES) break
    const places = withTimes.length > 0 ? timesOf(frame, timeRange) : undefined
    for (const [i, { name, type, unit }] of frame.columns.entries()) {
      if (!isNumeric(type) || series.length >= MAX_SERIES) continue
      const values = frame.values[i] ?? []
      series.push({ name: nameOf(frame, name, used.length), unit, ...placed(values, places) })
    }
  }
  const [first] = used
  const categories = withTimes.length > 0 || first === undefined ? undefined : categoriesOf(first)
  return { series, more: total - series.length, categories }
}

/** A frame with one column of numbers gives it its name. */
function nameOf({ name, columns }: Frame, column: string, frames: number): string {
  const numbers = columns.filter(({ type }) => isNumeric(type)).length
  if (numbers === 1 && name !== '') return name
  return frames > 1 && name !== '' ? `${name} ${column}` : column
}

/** Rows with a time that counts, by their times. */
interface Places {
  readonly rows: Uint32Array
  readonly xs: Float64Array
}

function timesOf({ columns, values }: Frame, range: PanelPicture['timeRange']): Places {
  const times = values[columns.findIndex(({ type }) => type === 'time')] ?? []
  const { fromMs, toMs } = range ?? { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
  const rows = new Uint32Array(times.length)
  let count = 0
  let isSorted = true
  let last = Number.NEGATIVE_INFINITY
  for (let row = 0; row < times.length; row++) {
    const time = times[row]
    if (typeof time !== 'number' || !Number.isFinite(time) || time < fromMs || time > toMs) continue
    isSorted &&= time >= last
    last = time
    rows[count++] = row
  }
  const kept = rows.subarray(0, count)
  if (!isSorted) kept.sort((a, b) => (times[a] as number) - (times[b] as number))
  return { rows: kept, xs: Float64Array.from(kept, (row) => boundedTime(times[row] as number)) }
}

function placed(values: readonly Cell[], places: Places | undefined): Pick<Series, 'xs' | 'ys'> {
  const number = (value: Cell | undefined) => drawable(value) ?? Number.NaN
  if (places !== undefined) return { xs: places.xs, ys: Float64Array.from(places.rows, (row) => number(values[row])) }
  return { xs: Float64Array.from(values, (_, i) => i), ys: Float64Array.from(values, number) }
}

function categoriesOf({ columns, values }: Frame): string[] {
  const texts = columns.findIndex(({ type }) => type === 'text')
  const numbers = columns.findIndex(({ type }) => isNumeric(type))
  const length = values[numbers]?.length ?? 0
  return Array.from({ length }, (_, i) => String(values[texts]?.[i] ?? i + 1))
}

/** The least and the greatest of the numbers that are there; undefined where there are none. */
export function spanOf(lists: Iterable<Float64Array>): Span | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const list of lists) {
    for (const value of list) {
      if (value < from) from = value
      if (value > to) to = value
    }
  }
  return from > to ? undefined : { from, to }
}

/** The last value that is there. */
export function lastOf({ ys }: Series): number | undefined {
  return ys.findLast((value) => !Number.isNaN(value))
}
