import type { Canvas } from '../charts/plot.ts'
import { rounded, type Span } from '../numbers/ticks.ts'
import { valueText } from '../numbers/units.ts'
import type { Box, PanelOptions, PanelPicture } from '../picture.ts'
import { lastOf, seriesOf } from '../series/series.ts'
import { element, label, written } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import { stateColor, type Theme } from '../theme.ts'
import { withUnit } from './chart.ts'
import { tiles } from './tiles.ts'

const LEAST_TILE_WIDTH = 120
const LEAST_TILE_HEIGHT = 100
/** From the lower left over the top to the lower right, in parts of a full turn. */
const OPEN = 0.3
const START = 0.5 + OPEN / 2
const SWEEP = 1 - OPEN
const NAME_HEIGHT = 20

interface Reading {
  readonly name: string
  readonly value: number
  readonly options: PanelOptions
}

/** The last value of each series on a dial. */
export function gauge(panel: PanelPicture, { box, theme }: Canvas): string | undefined {
  const { series } = seriesOf(panel)
  const options = withUnit(panel.options, series)
  const readings = series.flatMap((one): Reading[] => {
    const value = lastOf(one)
    if (value === undefined) return []
    return [{ name: one.name, value, options: one.unit === undefined ? options : { ...options, unit: one.unit } }]
  })
  if (readings.length === 0) return undefined
  return tiles(readings, box, LEAST_TILE_WIDTH, LEAST_TILE_HEIGHT, theme, (one, tile) => dial(one, tile, theme))
}

/** Without limits: of percents from 0 to 100, else from zero to something round above the value. */
function spanFor(value: number, { min, max, unit }: PanelOptions): Span {
  const isPercent = unit === 'percent' || unit === '%'
  const nice = rounded({ from: Math.min(0, value), to: Math.max(0, value) || (value < 0 ? 0 : 1) }, 4)
  const top = isPercent ? Math.max(100, nice.to) : unit === 'ratio' ? Math.max(1, nice.to) : nice.to
  const [from, to] = [min ?? nice.from, max ?? top]
  return from < to ? { from, to } : nice
}

function dial({ name, value, options }: Reading, tile: Box, theme: Theme): string {
  const { thresholds = [] } = options
  const span = spanFor(value, options)
  const partOf = (at: number) => Math.min(1, Math.max(0, (at - span.from) / (span.to - span.from)))
  // The circle is open below, so that it needs less height than width.
  const low = Math.cos(Math.PI * OPEN)
  const radius = Math.max(10, Math.min(tile.width / 2 - 8, (tile.height - NAME_HEIGHT - 14) / (1 + low)))
  const center = {
    x: tile.x + tile.width / 2,
    y: tile.y + (tile.height - NAME_HEIGHT - radius * (1 + low) - 14) / 2 + radius + 2
  }
  const thick = Math.max(6, radius * 0.17)
  const color = stateColor(theme, thresholds, value) ?? theme.series[0]
  const ring = arc(center, radius - thick / 2 - thick * 0.45, 0, 1, theme.empty, thick)
  const filled = arc(center, radius - thick / 2 - thick * 0.45, 0, partOf(value), color as string, thick)
  const borders = bands(thresholds, span).map(({ from, to, threshold }) =>
    arc(center, radius - thick * 0.12, partOf(from), partOf(to), theme.states[threshold.color], thick * 0.24)
  )
  return (
    ring +
    filled +
    borders.join('') +
    words({ name, value, options }, span, center, radius, thick, tile, color as string, theme)
  )
}

function words(
  { name, value, options: { unit, decimals } }: Reading,
  span: Span,
  center: { x: number; y: number },
  radius: number,
  thick: number,
  tile: Box,
  color: string,
  theme: Theme
): string {
  const text = valueText(value, unit, decimals)
  const room = (radius - thick * 1.6) * 1.5
  const size = Math.max(12, Math.min(radius * 0.42, room / Math.max(1, textWidth(text, 1, 'bold'))))
  const angle = Math.PI * OPEN
  const [endX, endY] = [Math.sin(angle) * (radius - thick * 0.95), center.y + Math.cos(angle) * radius + 12]
  const small = { size: 10, color: theme.muted, anchor: 'middle' } as const
  return (
    label(center.x, center.y + size * 0.36, cut(text, room + 1, size, 'bold'), {
      size,
      color,
      weight: 'bold',
      anchor: 'middle'
    }) +
    label(center.x - endX, endY, cut(valueText(span.from, unit), endX, 10), small) +
    label(center.x + endX, endY, cut(valueText(span.to, unit), endX, 10), small) +
    label(center.x, tile.y + tile.height - 5, cut(name, tile.width - 8, 12), {
      size: 12,
      color: theme.muted,
      anchor: 'middle'
    })
  )
}

/** From each threshold to the next one, as far as that is on the dial. */
function bands(thresholds: NonNullable<PanelOptions['thresholds']>, { from, to }: Span) {
  return thresholds
    .map((threshold, i) => ({
      threshold,
      from: Math.max(from, threshold.value),
      to: Math.min(to, thresholds[i + 1]?.value ?? to)
    }))
    .filter((band) => band.from < band.to)
}

/** A part of the ring, between two shares of it. */
function arc(
  { x, y }: { x: number; y: number },
  radius: number,
  from: number,
  to: number,
  color: string,
  thick: number
): string {
  if (to - from < 0.002 || radius <= 0) return ''
  const at = (part: number) => {
    const angle = 2 * Math.PI * (START + part * SWEEP)
    return `${written(x + Math.sin(angle) * radius)} ${written(y - Math.cos(angle) * radius)}`
  }
  const large = (to - from) * SWEEP > 0.5 ? 1 : 0
  const d = `M${at(from)}A${written(radius)} ${written(radius)} 0 ${large} 1 ${at(to)}`
  return element('path', { d, fill: 'none', stroke: color, 'stroke-width': thick })
}
