import type { Grid } from '../series/grid.ts'
import { rectangle } from '../svg.ts'
import { seriesStyle, type Theme } from '../theme.ts'
import type { Plot } from './plot.ts'

const PART_USED = 0.72

/** Bars beside each other at each place. */
export function barsBeside(plot: Plot, { xs, width, rows }: Grid, theme: Theme): string {
  const { toX, toY, ySpan } = plot
  const all = allWidth(plot, xs, width)
  const each = all / rows.length
  const base = toY(Math.min(ySpan.to, Math.max(ySpan.from, 0)))
  return rows
    .map((row, place) => {
      const { color } = seriesStyle(theme, place)
      return xs
        .map((x, i) => {
          const value = row[i] as number
          if (Number.isNaN(value)) return ''
          const thick = each - (each > 6 ? 1 : 0)
          return bar(plot, toX(x) - all / 2 + place * each, thick, base, toY(value), color)
        })
        .join('')
    })
    .join('')
}

/** Bars on top of each other. */
export function barsStacked(
  plot: Plot,
  { xs, width }: Grid,
  rows: readonly { lower: Float64Array; upper: Float64Array }[],
  theme: Theme
): string {
  const { toX, toY } = plot
  const each = allWidth(plot, xs, width)
  return rows
    .map(({ lower, upper }, place) => {
      const { color } = seriesStyle(theme, place)
      return xs
        .map((x, i) => {
          const value = upper[i] as number
          if (Number.isNaN(value)) return ''
          return bar(plot, toX(x) - each / 2, each, toY(lower[i] as number), toY(value), color)
        })
        .join('')
    })
    .join('')
}

/** How thick the bars of one place are together. */
function allWidth({ box, isLying, toX }: Plot, xs: readonly number[], width: number): number {
  const most = isLying ? box.height / 2 : box.width / 4
  const room = xs.length < 2 ? most : toX((xs[0] as number) + width) - toX(xs[0] as number)
  return Math.max(1, Math.min(room * PART_USED, most))
}

function bar({ isLying }: Plot, at: number, thickness: number, from: number, to: number, color: string): string {
  const [start, thick, long] = [Math.min(from, to), Math.max(0.5, thickness), Math.max(0.75, Math.abs(to - from))]
  const box = isLying
    ? { x: start, y: at, width: long, height: thick }
    : { x: at, y: start, width: thick, height: long }
  return rectangle(box, color, { rx: thickness > 8 && long > 4 ? 1.5 : undefined })
}
