import { lines } from '../charts/lines.ts'
import { type Canvas, inside, plotIn } from '../charts/plot.ts'
import { widened } from '../numbers/ticks.ts'
import { valueText } from '../numbers/units.ts'
import type { Box, PanelOptions, PanelPicture } from '../picture.ts'
import { lastOf, type Series, seriesOf, spanOf } from '../series/series.ts'
import { clipped, label } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import { stateColor, type Theme } from '../theme.ts'
import { withUnit } from './chart.ts'
import { tiles } from './tiles.ts'

const [LEAST_SIZE, MAX_SIZE] = [14, 64]
const LEAST_TILE_WIDTH = 120
const LEAST_TILE_HEIGHT = 64

interface Stat {
  readonly name: string
  readonly text: string
  readonly color: string
  /** What it was before, where that is known. */
  readonly series?: Series
}

/** The last value of each series in large letters, with the way that it came below. */
export function stat(panel: PanelPicture, { box, theme }: Canvas): string | undefined {
  const stats = statsOf(panel, theme)
  if (stats.length === 0) return undefined
  return tiles(stats, box, LEAST_TILE_WIDTH, LEAST_TILE_HEIGHT, theme, (one, tile) =>
    drawStat(one, tile, stats.length > 1, theme)
  )
}

function statsOf(panel: PanelPicture, theme: Theme): Stat[] {
  const { series, categories } = seriesOf(panel)
  const isWithWay = categories === undefined && panel.options.sparkline !== false
  const { unit, decimals, thresholds = [] } = withUnit(panel.options, series) satisfies PanelOptions
  if (series.length === 0) return textsOf(panel, theme)
  return series.flatMap((one) => {
    const last = lastOf(one)
    if (last === undefined) return []
    const color = stateColor(theme, thresholds, last) ?? theme.text
    const text = valueText(last, one.unit ?? unit, decimals)
    return [{ name: one.name, text, color, ...(isWithWay && { series: one }) }]
  })
}

/** Where there are no numbers, the last text of each column. */
function textsOf({ frames }: PanelPicture, theme: Theme): Stat[] {
  return frames.flatMap(({ columns, values }) =>
    columns.flatMap(({ name, type }, i) => {
      const last = values[i]?.findLast((value) => value !== null)
      return type === 'text' && last !== undefined ? [{ name, text: String(last), color: theme.text }] : []
    })
  )
}

function drawStat({ name, text, color, series }: Stat, box: Box, isNamed: boolean, theme: Theme): string {
  const hasWay = series !== undefined && series.xs.length > 1 && box.height >= 110
  const wayHeight = hasWay ? Math.min(box.height * 0.36, 90) : 0
  const above = inside(box, isNamed ? 18 : 0, 0, wayHeight, 0)
  const room = box.width - 8
  const size = Math.min(MAX_SIZE, above.height * 0.62, room / Math.max(0.5, textWidth(text, 1, 'bold')))
  const shownSize = Math.max(LEAST_SIZE, size)
  const middle = box.x + box.width / 2
  const shown = cut(text, room + 1, shownSize, 'bold')
  return (
    (isNamed
      ? label(middle, box.y + 14, cut(name, room, 12), { size: 12, color: theme.muted, anchor: 'middle' })
      : '') +
    label(middle, above.y + above.height / 2 + shownSize * 0.36, shown, {
      size: shownSize,
      color,
      weight: 'bold',
      anchor: 'middle'
    }) +
    (hasWay ? way(series, inside(box, box.height - wayHeight, 0, 0, 0), withColor(theme, color)) : '')
  )
}

/** What is drawn below the value has its colour, where that says something. */
const withColor = (theme: Theme, color: string): Theme => (color === theme.text ? theme : { ...theme, series: [color] })

function way(series: Series, box: Box, theme: Theme): string {
  const [xSpan, ySpan] = [spanOf([series.xs]), spanOf([series.ys])]
  if (xSpan === undefined || ySpan === undefined) return ''
  const { from, to } = widened(ySpan)
  const margin = (to - from) * 0.08
  const plot = plotIn(box, widened(xSpan), { from: from - margin, to: to + margin })
  return clipped(box, lines(plot, [series], theme, { isFilled: true }))
}
