import { MAX_POINTS } from '../limits.ts'
import { type Points, reduced } from '../series/reduce.ts'
import type { Series } from '../series/series.ts'
import { element, written } from '../svg.ts'
import { seriesStyle, type Theme } from '../theme.ts'
import type { Plot } from './plot.ts'

const WIDTH = 1.75
const DOT_RADIUS = 2

type Run = (readonly [x: number, y: number])[]

interface LineForm {
  readonly isFilled: boolean
  /** Whether lines go on over gaps. */
  readonly isConnected?: boolean
}

/** Lines with gaps where there is no value, unless they are connected; a value between two gaps is a dot. */
export function lines(
  plot: Plot,
  series: readonly Series[],
  theme: Theme,
  { isFilled, isConnected = false }: LineForm
): string {
  const most = Math.max(8, Math.min(Math.floor(MAX_POINTS / Math.max(1, series.length)), Math.ceil(plot.box.width) * 4))
  return series
    .map((one, place) => {
      const { color, dashes } = seriesStyle(theme, place)
      const points = reduced(one, most)
      const runs = runsOf(plot, isConnected ? points.filter(([, y]) => !Number.isNaN(y)) : points)
      return (isFilled ? filled(plot, runs, color) : '') + stroked(runs, color, dashes)
    })
    .join('')
}

function runsOf({ toX, toY }: Plot, points: Points): Run[] {
  const runs: Run[] = []
  let run: Run = []
  for (const [x, y] of points) {
    if (!Number.isNaN(y)) run.push([toX(x), toY(y)])
    else if (run.length > 0) {
      runs.push(run)
      run = []
    }
  }
  if (run.length > 0) runs.push(run)
  return runs
}

const pathOf = (run: Run) => run.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${written(x)} ${written(y)}`).join('')

function stroked(runs: readonly Run[], color: string, dashes: string | undefined): string {
  const long = runs.filter(({ length }) => length > 1)
  const style = {
    fill: 'none',
    stroke: color,
    'stroke-width': WIDTH,
    'stroke-linejoin': 'round',
    'stroke-dasharray': dashes
  }
  const dots = runs.filter(({ length }) => length === 1).map(([point]) => dotAt(point as Run[number]))
  return (
    (long.length === 0 ? '' : element('path', { d: long.map(pathOf).join(''), ...style })) +
    (dots.length === 0 ? '' : element('path', { d: dots.join(''), fill: color }))
  )
}

const dotAt = ([x, y]: Run[number]) =>
  `M${written(x - DOT_RADIUS)} ${written(y)}a${DOT_RADIUS} ${DOT_RADIUS} 0 1 0 ${2 * DOT_RADIUS} 0a${DOT_RADIUS} ${DOT_RADIUS} 0 1 0 ${-2 * DOT_RADIUS} 0`

/** Down to zero, or to the end of the axis that is nearest to it. */
function filled({ toY, ySpan }: Plot, runs: readonly Run[], color: string): string {
  const base = written(toY(Math.min(ySpan.to, Math.max(ySpan.from, 0))))
  const shapes = runs
    .filter(({ length }) => length > 1)
    .map((run) => `${pathOf(run)}L${written(run.at(-1)?.[0] ?? 0)} ${base}L${written(run[0]?.[0] ?? 0)} ${base}Z`)
  return shapes.length === 0 ? '' : element('path', { d: shapes.join(''), fill: color, 'fill-opacity': '0.16' })
}

/** Areas on top of each other: `upper` has NaN where there is no value. */
export function stackedAreas(
  { toX, toY }: Plot,
  xs: readonly number[],
  rows: readonly { lower: Float64Array; upper: Float64Array }[],
  theme: Theme
): string {
  return rows
    .map(({ lower, upper }, place) => {
      const { color, dashes } = seriesStyle(theme, place)
      const at = (row: Float64Array, i: number) => [toX(xs[i] as number), toY(row[i] as number)] as const
      const runs = indexRuns(upper)
      const shapes = runs
        .filter(({ length }) => length > 1)
        .map((run) => `${pathOf([...run.map((i) => at(upper, i)), ...run.toReversed().map((i) => at(lower, i))])}Z`)
      const area =
        shapes.length === 0 ? '' : element('path', { d: shapes.join(''), fill: color, 'fill-opacity': '0.45' })
      return (
        area +
        stroked(
          runs.map((run) => run.map((i) => at(upper, i))),
          color,
          dashes
        )
      )
    })
    .join('')
}

/** The places between gaps. */
function indexRuns(row: Float64Array): number[][] {
  const runs: number[][] = [[]]
  for (const [i, value] of row.entries()) {
    if (!Number.isNaN(value)) runs.at(-1)?.push(i)
    else if (runs.at(-1)?.length !== 0) runs.push([])
  }
  return runs.filter(({ length }) => length > 0)
}
