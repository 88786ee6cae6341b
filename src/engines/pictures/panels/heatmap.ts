import { AXIS_SIZE, categoryAxis, timeAxis } from '../charts/axes.ts'
import { type Canvas, inside, type Plot, plotIn } from '../charts/plot.ts'
import type { Span } from '../numbers/ticks.ts'
import { valueText } from '../numbers/units.ts'
import type { Box, PanelOptions, PanelPicture } from '../picture.ts'
import { type Grid, gridOf } from '../series/grid.ts'
import { type Series, type SeriesData, seriesOf, spanOf } from '../series/series.ts'
import { clipped, label, rectangle } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import { heatColor, type Theme } from '../theme.ts'
import { withUnit } from './chart.ts'

const LEAST_ROW_HEIGHT = 14
const LEAST_CELL_WIDTH = 6
const MAX_CELLS = 6000
const TIME_LABELS = 22
const SCALE_HEIGHT = 26
const SCALE_STEPS = 24
const MAX_SCALE_WIDTH = 160

/** A row for each series, a column for each time or name, and a colour for each value. */
export function heatmap(panel: PanelPicture, { box, theme }: Canvas): string | undefined {
  const data = seriesOf(panel)
  const values = spanOf(data.series.map(({ ys }) => ys))
  if (values === undefined) return undefined
  const options = withUnit(panel.options, data.series)
  const span = { from: options.min ?? values.from, to: options.max ?? values.to }
  const area = inside(box, 2, 6, TIME_LABELS + SCALE_HEIGHT, 0)
  const most = Math.max(1, Math.floor(area.height / LEAST_ROW_HEIGHT))
  const shown = data.series.slice(0, most)
  const room = Math.min(
    box.width / 3,
    Math.max(...shown.map(({ name }) => textWidth(name.slice(0, 60), AXIS_SIZE))) + 12
  )
  const plotBox = inside(area, 0, 0, 0, room)
  const places = Math.max(1, Math.floor(Math.min(plotBox.width / LEAST_CELL_WIDTH, MAX_CELLS / shown.length)))
  const grid = gridOf(shown, places)
  const plot = plotIn(plotBox, xSpanOf(grid, data), { from: 0, to: shown.length })
  const isTimes = data.categories === undefined
  return (
    rowNames(shown, plot, room, theme) +
    clipped(plotBox, cells(grid, plot, span, theme)) +
    (isTimes ? timeAxis(plot, panel.timeZone, theme) : categoryAxis(plot, data.categories ?? [], theme)) +
    scale(span, options, { ...box, y: box.y + box.height - SCALE_HEIGHT + 8 }, theme) +
    more(data.series.length - shown.length + data.more, box, theme)
  )
}

/** Half a cell more at both ends, so that no cell is cut. */
function xSpanOf({ xs, width }: Grid, { categories }: SeriesData): Span {
  if (categories !== undefined) return { from: -0.5, to: categories.length - 0.5 }
  const half = (width || 60_000) / 2
  return { from: (xs[0] as number) - half, to: (xs.at(-1) as number) + half }
}

function rowNames(series: readonly Series[], { box }: Plot, room: number, theme: Theme): string {
  const each = box.height / series.length
  return series
    .map(({ name }, row) => {
      const style = { size: AXIS_SIZE, color: theme.muted, anchor: 'end' } as const
      return label(box.x - 8, box.y + (row + 0.5) * each + 4, cut(name, room - 10, AXIS_SIZE), style)
    })
    .join('')
}

function cells({ xs, width, rows }: Grid, { box, toX }: Plot, span: Span, theme: Theme): string {
  const tall = box.height / rows.length
  const wide = Math.max(1, width === 0 ? box.width : toX((xs[0] as number) + width) - toX(xs[0] as number))
  const gap = wide > 5 && tall > 5 ? 1 : 0
  const range = span.to - span.from
  return rows
    .map((row, at) =>
      xs
        .map((x, i) => {
          const value = row[i] as number
          if (Number.isNaN(value)) return ''
          const cell: Box = { x: toX(x) - wide / 2, y: at * tall, width: wide - gap, height: tall - gap }
          return rectangle(cell, heatColor(theme, range > 0 ? (value - span.from) / range : 0.5))
        })
        .join('')
    )
    .join('')
}

/** What the colours mean, at the right below the cells. */
function scale({ from, to }: Span, { unit, decimals }: PanelOptions, box: Box, theme: Theme): string {
  const [low, high] = [valueText(from, unit, decimals), valueText(to, unit, decimals)]
  const highWidth = textWidth(high, AXIS_SIZE)
  const width = Math.min(MAX_SCALE_WIDTH, box.width / 3)
  const left = box.x + box.width - 6 - highWidth - 8 - width
  const each = width / SCALE_STEPS
  const steps = Array.from({ length: SCALE_STEPS }, (_, i) =>
    rectangle({ x: left + i * each, y: box.y, width: each + 0.5, height: 8 }, heatColor(theme, i / (SCALE_STEPS - 1)))
  )
  const style = { size: AXIS_SIZE, color: theme.muted }
  return (
    steps.join('') +
    label(left - 8, box.y + 8, low, { ...style, anchor: 'end' }) +
    label(left + width + 8, box.y + 8, high, style)
  )
}

function more(count: number, box: Box, theme: Theme): string {
  const text = count > 0 ? `and ${count} more` : ''
  return label(box.x, box.y + box.height - SCALE_HEIGHT + 16, text, { size: AXIS_SIZE, color: theme.muted })
}
