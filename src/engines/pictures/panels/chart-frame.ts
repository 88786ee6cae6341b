import {
  axisWidth,
  categoryAxis,
  ticksAcross,
  ticksFor,
  ticksUp,
  timeAxis,
  valueAxis,
  valueSpan
} from '../charts/axes.ts'
import { bottomValueAxis, sideAxis, sideNames, sideTimes, sideWidth } from '../charts/lying-axes.ts'
import { inside, type Plot, plotIn } from '../charts/plot.ts'
import type { Span } from '../numbers/ticks.ts'
import type { Box, PanelOptions, PanelPicture } from '../picture.ts'
import { type SeriesData, spanOf } from '../series/series.ts'
import type { Theme } from '../theme.ts'

/** Room for the last number of an axis that lies. */
const LYING_END = 12

/** How far what is drawn reaches. */
export interface Reach {
  readonly ySpan: Span
  /** How far what is at a time reaches to both of its sides, in milliseconds. */
  readonly reach: number
}

/** A place for what is drawn, and the axes around it. */
export interface Framed {
  readonly plot: Plot
  readonly axes: string
}

/** Values go up. */
export function standing(
  panel: PanelPicture,
  shown: SeriesData,
  options: PanelOptions,
  drawn: Reach,
  area: Box,
  theme: Theme
): Framed {
  const most = ticksUp(area.height)
  const ySpan = valueSpan(drawn.ySpan, options, panel.type !== 'line', most)
  const ticks = ticksFor(ySpan, most, options)
  const room = axisWidth(ticks, area.width / 3)
  const form = { isLogarithmic: options.logarithmic === true }
  const plot = plotIn(inside(area, 0, 0, 0, room), xSpanOf(panel, shown, drawn.reach), ySpan, form)
  const { categories } = shown
  const below = categories === undefined ? timeAxis(plot, panel.timeZone, theme) : categoryAxis(plot, categories, theme)
  return { plot, axes: valueAxis(plot, ticks, theme, room) + below }
}

/** Values go to the right. */
export function lying(
  panel: PanelPicture,
  shown: SeriesData,
  options: PanelOptions,
  drawn: Reach,
  area: Box,
  theme: Theme
): Framed {
  const xSpan = xSpanOf(panel, shown, drawn.reach)
  const { categories } = shown
  const side =
    categories === undefined ? sideTimes(xSpan, panel.timeZone, area.height) : sideNames(categories, area.height)
  const room = sideWidth(side, area.width / 3)
  const plotBox = inside(area, 0, LYING_END, 0, room)
  const most = ticksAcross(plotBox.width)
  const ySpan = valueSpan(drawn.ySpan, options, true, most)
  const plot = plotIn(plotBox, xSpan, ySpan, { isLying: true, isLogarithmic: options.logarithmic === true })
  const ticks = ticksFor(ySpan, most, options)
  return { plot, axes: bottomValueAxis(plot, ticks, theme) + sideAxis(plot, side, theme, room) }
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
