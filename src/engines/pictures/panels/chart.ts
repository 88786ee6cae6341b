import { barsBeside, barsStacked } from '../charts/bars.ts'
import { type Legend, legendBeside, legendOf } from '../charts/legend.ts'
import { lines, stackedAreas } from '../charts/lines.ts'
import { annotationMarks, thresholdLines } from '../charts/marks.ts'
import { type Canvas, inside, type Plot } from '../charts/plot.ts'
import { isPlaceable } from '../numbers/logarithmic.ts'
import type { Span } from '../numbers/ticks.ts'
import { valueText } from '../numbers/units.ts'
import type { Box, PanelOptions, PanelPicture } from '../picture.ts'
import { bridged, type Grid, gridOf, placesOf, stackedRows } from '../series/grid.ts'
import { lastOf, type Series, type SeriesData, seriesOf, spanOf } from '../series/series.ts'
import { clipped, label } from '../svg.ts'
import { cut } from '../text/measure.ts'
import { seriesStyle, type Theme } from '../theme.ts'
import { lying, type Reach, standing } from './chart-frame.ts'

const TIME_LABELS = 22
const LEAST_CATEGORY_WIDTH = 14
const LEAST_BAR_WIDTH = 4
const MAX_BARS = 5000
/** How much of a panel the legend may take. */
const LEGEND_PART = 0.25
const BESIDE_PART = 0.35
/** In a panel that is narrower, a legend is below. */
const LEAST_BESIDE = 240
const ROW_HEIGHT = 20
const NOTE_SIZE = 11
const NOTE_HEIGHT = 20
/** What is above and below lying bars. */
const LYING_REST = 70

/** What is drawn between the axes, and how far it reaches. */
interface Drawn extends Reach {
  draw(plot: Plot): string
}

/** Lines, areas and bars over times or names; undefined where there is nothing to draw. */
export function chart(panel: PanelPicture, { box, theme }: Canvas): string | undefined {
  const isLying = panel.type === 'bar' && panel.options.horizontal === true
  const { data, isLogarithmic, leftOut } = onAxis(seriesOf(panel), panel.options)
  const { shown, total } = withFewCategories(data, isLying ? box.height - LYING_REST : box.width)
  if (spanOf(shown.series.map(({ ys }) => ys)) === undefined) return undefined
  const options = { ...withUnit(panel.options, shown.series), logarithmic: isLogarithmic }
  const legend = legendFor(shown, options, box, theme)
  const rest = inside(box, 0, legend.width && legend.width + 16, legend.height && legend.height + 8, 0)
  const isShared = panel.type === 'bar' && placesOf(shown.series, placesAlong(rest, isLying, shown)).isShared
  const unseen = unseenText(shown, total, leftOut, isShared)
  const area = inside(rest, unseen === '' ? 6 : NOTE_HEIGHT, 6, TIME_LABELS, 0)
  const drawn = drawnOf(panel, shown, area, theme)
  const { plot, axes } = (isLying ? lying : standing)(panel, shown, options, drawn, area, theme)
  const withMarks = shown.categories === undefined && !isLying
  return (
    axes +
    clipped(
      plot.box,
      drawn.draw(plot) +
        (withMarks ? annotationMarks(plot, panel.annotations ?? [], theme) : '') +
        thresholdLines(plot, options, theme)
    ) +
    note(unseen, rest, theme) +
    legend.draw(box)
  )
}

/**
 * What has a place on the axis of values, and how many values have none, which are those that are not above 0 on a
 * logarithmic one. Where that is all of them, the axis is an even one.
 */
function onAxis(data: SeriesData, { logarithmic = false }: PanelOptions) {
  const isPlaced = data.series.some(({ ys }) => ys.some(isPlaceable))
  if (!logarithmic || !isPlaced) return { data, isLogarithmic: false, leftOut: 0 }
  let leftOut = 0
  const series = data.series.map((one) => {
    const ys = one.ys.map((y) => (isPlaceable(y) ? y : Number.NaN))
    leftOut += one.ys.filter((y) => !Number.isNaN(y) && !isPlaceable(y)).length
    return { ...one, ys }
  })
  return { data: { ...data, series }, isLogarithmic: true, leftOut }
}

/** The unit of the panel, or else the one of the first column that has one. */
export function withUnit(options: PanelOptions, series: readonly Series[]): PanelOptions {
  const unit = options.unit ?? series.find((one) => one.unit !== undefined)?.unit
  return unit === undefined ? options : { ...options, unit }
}

/** As many names as there is room for; `total` is how many there are. */
function withFewCategories(data: SeriesData, length: number): { shown: SeriesData; total: number } {
  const total = data.categories?.length ?? 0
  const most = Math.max(1, Math.floor(length / LEAST_CATEGORY_WIDTH))
  if (total <= most) return { shown: data, total }
  const series = data.series.map((one) => ({ ...one, xs: one.xs.subarray(0, most), ys: one.ys.subarray(0, most) }))
  return { shown: { ...data, series, categories: data.categories?.slice(0, most) }, total }
}

/** What of the data is not in the picture. */
function unseenText({ categories }: SeriesData, total: number, leftOut: number, isShared: boolean): string {
  const isCut = categories !== undefined && categories.length < total
  const texts = [
    isCut ? `the first ${categories.length} of ${total}` : '',
    isShared ? 'each bar is the greatest of several' : '',
    leftOut > 0 ? `without ${leftOut} ${leftOut === 1 ? 'value' : 'values'} not above 0` : ''
  ]
  return texts.filter((one) => one !== '').join(', ')
}

/** Above the plot, at the right. */
function note(text: string, { x, y, width }: Box, theme: Theme): string {
  const style = { size: NOTE_SIZE, color: theme.muted, anchor: 'end' } as const
  return label(x + width - 6, y + 9, cut(text, width - 12, NOTE_SIZE), style)
}

function legendFor(
  { series, more, categories }: SeriesData,
  { legend, unit, decimals }: PanelOptions,
  { width, height }: Box,
  theme: Theme
): Legend {
  const items = series.map((one, place) => {
    // Of names none is the last.
    const last = categories === undefined ? lastOf(one) : undefined
    const value = last === undefined ? '' : valueText(last, unit, decimals)
    return { name: one.name, value, ...seriesStyle(theme, place) }
  })
  const rows = legend === 'none' || height <= 110 ? 0 : height / ROW_HEIGHT
  if (legend === 'right' && width > LEAST_BESIDE) return legendBeside(items, more, width * BESIDE_PART, rows, theme)
  return legendOf(items, more, width, rows * LEGEND_PART, theme)
}

/** How many bars there is room for, of each series. */
function placesAlong({ width, height }: Box, isLying: boolean, { series }: SeriesData): number {
  return Math.max(1, Math.floor(Math.min((isLying ? height : width) / LEAST_BAR_WIDTH, MAX_BARS / series.length)))
}

function drawnOf(panel: PanelPicture, data: SeriesData, area: Box, theme: Theme): Drawn {
  const { series } = data
  const { type, options } = panel
  const stacked = options.stacked === true && type !== 'line'
  if (type !== 'bar' && !stacked) {
    return {
      ySpan: heightOf(series.map(({ ys }) => ys)),
      reach: 0,
      draw: (plot) =>
        lines(plot, series, theme, { isFilled: type === 'area', isConnected: options.connectNulls === true })
    }
  }
  // Where bars share a place, none that reaches a threshold is hidden by its neighbours.
  const grid =
    type === 'bar'
      ? gridOf(series, placesAlong(area, options.horizontal === true, data), 'farthest')
      : gridOf(series, Math.max(1, Math.floor(Math.min(area.width, MAX_BARS / series.length))), 'mean')
  const reach = grid.width / 2
  if (!stacked) return { ySpan: heightOf(grid.rows), reach, draw: (plot) => barsBeside(plot, grid, theme) }
  return stackedOf(panel, grid, theme)
}

function stackedOf({ type, options }: PanelPicture, grid: Grid, theme: Theme): Drawn {
  const isConnected = options.connectNulls === true && type === 'area'
  const rows = stackedRows(isConnected ? grid.rows.map((row) => bridged(row, grid.xs)) : grid.rows)
  return {
    ySpan: heightOf(rows.map(({ upper }) => upper)),
    reach: type === 'bar' ? grid.width / 2 : 0,
    draw: (plot) => (type === 'bar' ? barsStacked(plot, grid, rows, theme) : stackedAreas(plot, grid.xs, rows, theme))
  }
}

const heightOf = (lists: Iterable<Float64Array>): Span => spanOf(lists) ?? { from: 0, to: 1 }
