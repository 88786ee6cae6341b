import {
  AXIS_SIZE,
  axisWidth,
  categoryAxis,
  ticksFor,
  ticksUp,
  timeAxis,
  valueAxis,
  valueSpan
} from '../charts/axes.ts'
import { type Canvas, inside, type Plot, plotIn } from '../charts/plot.ts'
import type { Span } from '../numbers/ticks.ts'
import { valueText } from '../numbers/units.ts'
import type { Box, PanelOptions, PanelPicture } from '../picture.ts'
import { bucketsOf } from '../series/buckets.ts'
import { type Grid, gridOf } from '../series/grid.ts'
import { type Series, type SeriesData, seriesOf, spanOf } from '../series/series.ts'
import { clipped, label, rectangle } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import { heatColor, type Theme } from '../theme.ts'
import { withUnit } from './chart.ts'

const LEAST_ROW_HEIGHT = 14
const LEAST_BUCKET_HEIGHT = 2
const LEAST_CELL_WIDTH = 6
const MAX_CELLS = 6000
const TIME_LABELS = 22
const SCALE_HEIGHT = 26
const SCALE_STEPS = 24
const MAX_SCALE_WIDTH = 160

/** The cells, what stands at their left, and what their colours mean. */
interface Sheet {
  readonly grid: Grid
  readonly colors: Span
  readonly colorUnit: PanelOptions
  readonly room: number
  readonly ySpan: Span
  /** How many series there are besides. */
  readonly more: number
  side(plot: Plot): string
}

/** A column for each time or name, a row for each series or range of values, and a colour for each cell. */
export function heatmap(panel: PanelPicture, { box, theme }: Canvas): string | undefined {
  const data = seriesOf(panel)
  const values = spanOf(data.series.map(({ ys }) => ys))
  if (values === undefined) return undefined
  const options = withUnit(panel.options, data.series)
  const area = inside(box, 2, 6, TIME_LABELS + SCALE_HEIGHT, 0)
  const sheet = (options.buckets === undefined ? bySeries : byValue)(data, values, options, area, theme)
  const plot = plotIn(inside(area, 0, 0, 0, sheet.room), xSpanOf(sheet.grid, data), sheet.ySpan)
  const { categories } = data
  return (
    sheet.side(plot) +
    clipped(plot.box, cells(sheet.grid, plot, sheet.colors, theme)) +
    (categories === undefined ? timeAxis(plot, panel.timeZone, theme) : categoryAxis(plot, categories, theme)) +
    (options.legend === 'none'
      ? ''
      : scale(sheet.colors, sheet.colorUnit, { ...box, y: box.y + box.height - SCALE_HEIGHT + 8 }, theme)) +
    more(sheet.more, box, theme)
  )
}

/** Coloured by value. */
function bySeries(data: SeriesData, values: Span, options: PanelOptions, area: Box, theme: Theme): Sheet {
  const most = Math.max(1, Math.floor(area.height / LEAST_ROW_HEIGHT))
  const shown = data.series.slice(0, most)
  const widest = Math.max(...shown.map(({ name }) => textWidth(name.slice(0, 60), AXIS_SIZE)))
  const room = Math.min(area.width / 3, widest + 12)
  return {
    grid: gridOf(shown, placesIn(area.width - room, shown.length), 'mean'),
    colors: { from: options.min ?? values.from, to: options.max ?? values.to },
    colorUnit: options,
    room,
    ySpan: { from: 0, to: shown.length },
    more: data.series.length - shown.length + data.more,
    side: (plot) => rowNames(shown, plot, room, theme)
  }
}

/** Coloured by how many values lie in the range. */
function byValue(data: SeriesData, values: Span, options: PanelOptions, area: Box, theme: Theme): Sheet {
  const ticksIn = ticksUp(area.height)
  const ySpan = valueSpan(values, options, false, ticksIn)
  const ticks = ticksFor(ySpan, ticksIn, options)
  const room = axisWidth(ticks, area.width / 3)
  const rows = Math.max(1, Math.min(options.buckets ?? 1, Math.floor(area.height / LEAST_BUCKET_HEIGHT)))
  const grid = bucketsOf(data.series, ySpan, rows, placesIn(area.width - room, rows))
  return {
    grid,
    colors: spanOf(grid.rows) ?? { from: 0, to: 1 },
    colorUnit: {},
    room,
    ySpan,
    more: data.more,
    side: (plot) => valueAxis(plot, ticks, theme, room)
  }
}

const placesIn = (width: number, rows: number) =>
  Math.max(1, Math.floor(Math.min(width / LEAST_CELL_WIDTH, MAX_CELLS / rows)))

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
