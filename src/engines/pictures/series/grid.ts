import { type Series, spanOf } from './series.ts'

/** What stands for several values in one place: their mean, or the one that is the farthest from zero. */
export type Standing = 'mean' | 'farthest'

/** Values of several series at the same places: those that they have, or one for each of equal parts where there are too many. */
export interface Grid {
  readonly xs: readonly number[]
  /** How far a place reaches. */
  readonly width: number
  /** For each series its values at the places; NaN where there is none. */
  readonly rows: readonly Float64Array[]
}

export function gridOf(series: readonly Series[], maxPlaces: number, standing: Standing): Grid {
  const { xs, width, placeOf } = placesOf(series, maxPlaces)
  const rowOf = standing === 'mean' ? means : farthest
  return { xs, width, rows: series.map((one) => rowOf(one, xs.length, placeOf)) }
}

interface Places extends Pick<Grid, 'xs' | 'width'> {
  /** Whether values of one series may share places. */
  readonly isShared: boolean
  placeOf(x: number): number
}

/** The places that the series have, or so many equal parts where they have more. */
export function placesOf(series: readonly Series[], maxPlaces: number): Places {
  const exact = distinct(series, maxPlaces)
  if (exact !== undefined) return exactPlaces(exact)
  const span = spanOf(series.map(({ xs }) => xs)) ?? { from: 0, to: 1 }
  const width = (span.to - span.from) / maxPlaces || 1
  const placeOf = (x: number) => Math.min(maxPlaces - 1, Math.floor((x - span.from) / width))
  const xs = Array.from({ length: maxPlaces }, (_, i) => span.from + (i + 0.5) * width)
  return { xs, width, isShared: true, placeOf }
}

/** All places in order, or undefined where there are more than so many. */
function distinct(series: readonly Series[], most: number): number[] | undefined {
  const found = new Set<number>()
  for (const { xs } of series) {
    for (const x of xs) {
      found.add(x)
      if (found.size > most) return undefined
    }
  }
  return [...found].sort((a, b) => a - b)
}

function exactPlaces(xs: readonly number[]): Places {
  const places = new Map(xs.map((x, i) => [x, i]))
  let width = Number.POSITIVE_INFINITY
  for (let i = 1; i < xs.length; i++) width = Math.min(width, (xs[i] as number) - (xs[i - 1] as number))
  return { xs, width: Number.isFinite(width) ? width : 0, isShared: false, placeOf: (x) => places.get(x) as number }
}

function farthest({ xs, ys }: Series, length: number, placeOf: (x: number) => number): Float64Array {
  const row = new Float64Array(length).fill(Number.NaN)
  for (let i = 0; i < xs.length; i++) {
    const y = ys[i] as number
    if (Number.isNaN(y)) continue
    const place = placeOf(xs[i] as number)
    if (!(Math.abs(y) <= Math.abs(row[place] as number))) row[place] = y
  }
  return row
}

function means({ xs, ys }: Series, length: number, placeOf: (x: number) => number): Float64Array {
  const [means, counts] = [new Float64Array(length).fill(Number.NaN), new Uint32Array(length)]
  for (let i = 0; i < xs.length; i++) {
    const y = ys[i] as number
    if (Number.isNaN(y)) continue
    const place = placeOf(xs[i] as number)
    const count = (counts[place] as number) + 1
    counts[place] = count
    const before = means[place] as number
    means[place] = count === 1 ? y : before + (y / count - before / count)
  }
  return means
}

/** The row with what lies on a line between two values where values between them are missing. */
export function bridged(row: Float64Array, xs: readonly number[]): Float64Array {
  const whole = row.slice()
  let last = -1
  for (const [i, value] of row.entries()) {
    if (Number.isNaN(value)) continue
    const [fromX, from] = [xs[last] ?? 0, row[last] ?? 0]
    for (let gap = last + 1; last >= 0 && gap < i; gap++) {
      const part = ((xs[gap] as number) - fromX) / ((xs[i] as number) - fromX)
      whole[gap] = from * (1 - part) + value * part
    }
    last = i
  }
  return whole
}

/** Each row with those before it below it: upwards what is above zero, downwards what is below. */
export function stackedRows(rows: readonly Float64Array[]): { lower: Float64Array; upper: Float64Array }[] {
  const length = rows[0]?.length ?? 0
  const [above, below] = [new Float64Array(length), new Float64Array(length)]
  return rows.map((row) => {
    const [lower, upper] = [new Float64Array(length), new Float64Array(length)]
    for (let i = 0; i < length; i++) {
      const value = row[i] as number
      const side = value < 0 ? below : above
      lower[i] = side[i] as number
      if (!Number.isNaN(value)) side[i] = Math.min(1e300, Math.max(-1e300, (side[i] as number) + value))
      upper[i] = Number.isNaN(value) ? Number.NaN : (side[i] as number)
    }
    return { lower, upper }
  })
}
