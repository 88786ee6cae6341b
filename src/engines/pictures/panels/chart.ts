import { axisWidth, categoryAxis, ticksFor, timeAxis, valueAxis, valueSpan } from '../charts/axes.ts'
import { barsBeside, barsStacked } from '../charts/bars.ts'
import { type Legend, legendOf } from '../charts/legend.ts'
import { lines, stackedAreas } from '../charts/lines.ts'
import { annotationMarks, thresholdLines } from '../charts/marks.ts'
import { type Canvas, inside, type Plot, plotIn } from '../charts/plot.ts'
import type { Span } from '../numbers/ticks.ts'
import { valueText } from '../numbers/units.ts'
import type { PanelOptions, PanelPicture } from '../picture.ts'
import { type Grid, gridOf, stackedRows } from '../series/grid.ts'
import { lastOf, type Series, type SeriesData, seriesOf, spanOf } from '../series/series.ts'
import { clipped, label } from '../svg.ts'
import { seriesStyle, type Theme } from '../theme.ts'

const TIME_LABELS = 22
const LEAST_CATEGORY_WIDTH = 14
const LEAST_BAR_WIDTH = 4
const MAX_BARS = 5000
/** How much of a panel the legend may take. */
const LEGEND_PART = 0.25
const ROW_HEIGHT = 20

/** What is drawn between the axes, and how far it reaches. */
interface Drawn {
  readonly ySpan: Span
  /** How far what is at a time reaches to both of its sides, in milliseconds. */
  readonly reach: number
  draw(plot: Plot): string
}

/** Lines, areas and bars over times or names; undefined where there is nothing to draw. */
export function chart(panel: PanelPicture, { box, theme }: Canvas): string | undefined {
  const { shown, total } = withFewCategories(seriesOf(panel), box.width)
  if (spanOf(shown.series.map(({ ys }) => ys)) === undefined) return undefined
  const options = withUnit(panel.options, shown.series)
  const legend = legendFor(panel, shown, options, box.width, box.height, theme)
  const area = inside(box, 6, 6, TIME_LABELS + legend.height + (legend.height > 0 ? 8 : 0), 0)
  const drawn = drawnOf(panel, shown, area.width, theme)
  const ySpan = valueSpan(drawn.ySpan, options, panel.type !== 'line', area.height)
  const ticks = ticksFor(ySpan, area.height, options)
  const room = axisWidth(ticks, box.width / 3)
  const plot = plotIn(inside(area, 0, 0, 0, room), xSpanOf(panel, shown, drawn.reach), ySpan)
  const withTimes = shown.categories === undefined
  return (
    valueAxis(plot, ticks, theme, room) +
    (withTimes ? timeAxis(plot, panel.timeZone, theme) : categoryAxis(plot, shown.categories ?? [], theme)) +
    clipped(
      plot.box,
      drawn.draw(plot) +
        (withTimes ? annotationMarks(plot, panel.annotations ?? [], theme) : '') +
        thresholdLines(plot, options, theme) +
        firstOf(shown, total, plot, theme)
    ) +
    legend.draw({ ...box, y: box.y + box.height - legend.height })
  )
}

/** The unit of the panel, or else the one of the first column that has one. */
export function withUnit(options: PanelOptions, series: readonly Series[]): PanelOptions {
  const unit = options.unit ?? series.find((one) => one.unit !== undefined)?.unit
  return unit === undefined ? options : { ...options, unit }
}

/** As many names as there is room for; `total` is how many there are. */
function withFewCategories(data: SeriesData, width: number): { shown: SeriesData; total: number } {
  const total = data.categories?.length ?? 0
  const most = Math.max(1, Math.floor(width / LEAST_CATEGORY_WIDTH))
  if (total <= most) return { shown: data, total }
  const series = data.series.map((one) => ({ ...one, xs: one.xs.subarray(0, most), ys: one.ys.subarray(0, most) }))
  return { shown: { ...data, series, categories: data.categories?.slice(0, most) }, total }
}

function firstOf({ categories }: SeriesData, total: number, { box }: Plot, theme: Theme): string {
  if (categories === undefined || categories.length === total) return ''
  const text = `the first ${categories.length} of ${total}`
  return label(box.width - 4, 12, text, { size: 11, color: theme.muted, anchor: 'end' })
}

function legendFor(
  { options: { legend = true } }: PanelPicture,
  { series, more, categories }: SeriesData,
  { unit, decimals }: PanelOptions,
  width: number,
  height: number,
  theme: Theme
): Legend {
  const items = series.map((one, place) => {
    // Of names none is the last.
    const last = categories === undefined ? lastOf(one) : undefined
    const value = last === undefined ? '' : valueText(last, unit, decimals)
    return { name: one.name, value, ...seriesStyle(theme, place) }
  })
  const rows = legend && height > 110 ? (height * LEGEND_PART) / ROW_HEIGHT : 0
  return legendOf(items, more, width, rows, theme)
}

/** Bars at the ends of a range are shown as a whole. */
function xSpanOf({ timeRange }: PanelPicture, { series, categories }: SeriesData, reach: number): Span {
  if (categories !== undefined) return { from: -0.5, to: categories.length - 0.5 }
  const range = timeRange && { from: timeRange.fromMs, to: timeRange.toMs }
  const data = spanOf(series.map(({ xs }) => xs)) as Span
  const { from, to } = range ?? data
  const span = { from: Math.min(from, data.from - reach), to: Math.max(to, data.to + reach) }
  return span.from < span.to ? span : { from: span.from - 60_000, to: span.to + 60_000 }
}

function drawnOf(panel: PanelPicture, { series }: SeriesData, width: number, theme: Theme): Drawn {
  const { type, options } = panel
  const stacked = options.stacked === true && type !== 'line'
  if (type !== 'bar' && !stacked) {
    return {
      ySpan: heightOf(series.map(({ ys }) => ys)),
      reach: 0,
      draw: (plot) => lines(plot, series, theme, type === 'area')
    }
  }
  const perPixel = type === 'bar' ? 1 / LEAST_BAR_WIDTH : 1
  const grid = gridOf(series, Math.max(1, Math.floor(Math.min(width * perPixel, MAX_BARS / series.length))))
  const reach = grid.width / 2
  if (!stacked) return { ySpan: heightOf(grid.rows), reach, draw: (plot) => barsBeside(plot, grid, theme) }
  return stackedOf(type, grid, theme)
}

function stackedOf(type: PanelPicture['type'], grid: Grid, theme: Theme): Drawn {
  const rows = stackedRows(grid.rows)
  return {
    ySpan: heightOf(rows.map(({ upper }) => upper)),
    reach: type === 'bar' ? grid.width / 2 : 0,
    draw: (plot) => (type === 'bar' ? barsStacked(plot, grid, rows, theme) : stackedAreas(plot, grid.xs, rows, theme))
  }
}

const heightOf = (lists: Iterable<Float64Array>): Span => spanOf(lists) ?? { from: 0, to: 1 }
