import { valueText } from '../numbers/units.ts'
import type { Annotation, PanelOptions, Threshold } from '../picture.ts'
import { element, label, line, rectangle } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import type { Theme } from '../theme.ts'
import type { Plot } from './plot.ts'

const SIZE = 10
const LEAST_TEXT_WIDTH = 42
const MAX_TEXT_WIDTH = 160

const DASHED = { 'stroke-dasharray': '5 4', 'stroke-width': 1.25 }

/** Thresholds as dashed lines across the plot, with their values at the right, or above where it lies. */
export function thresholdLines(plot: Plot, options: PanelOptions, theme: Theme): string {
  const { thresholds = [] } = options
  const { from, to } = plot.ySpan
  const shown = thresholds.filter(({ value }) => value >= from && value <= to)
  return plot.isLying ? upright(plot, shown, options, theme) : across(plot, shown, options, theme)
}

function across({ box, toY }: Plot, shown: readonly Threshold[], { unit, decimals }: PanelOptions, theme: Theme) {
  let lowest = Number.POSITIVE_INFINITY
  return shown
    .map(({ value, color }) => {
      const [y, stroke] = [toY(value), theme.states[color]]
      const isFree = lowest - y >= SIZE + 4 && y >= SIZE + 2
      if (isFree) lowest = y
      const style = { size: SIZE, color: stroke, weight: 'bold', anchor: 'end' } as const
      return (
        line(0, y, box.width, y, stroke, DASHED) +
        (isFree ? standingOut(label(box.width - 4, y - 4, valueText(value, unit, decimals), style), theme) : '')
      )
    })
    .join('')
}

function upright({ box, toY }: Plot, shown: readonly Threshold[], { unit, decimals }: PanelOptions, theme: Theme) {
  let free = 0
  return shown
    .map(({ value, color }) => {
      const [x, stroke, text] = [toY(value), theme.states[color], valueText(value, unit, decimals)]
      const width = textWidth(text, SIZE, 'bold')
      const from = x + 4 + width <= box.width ? x + 4 : x - 4 - width
      const isFree = from >= free
      if (isFree) free = from + width + 6
      const shownText = isFree ? label(from, SIZE, text, { size: SIZE, color: stroke, weight: 'bold' }) : ''
      return line(x, 0, x, box.height, stroke, DASHED) + standingOut(shownText, theme)
    })
    .join('')
}

const COLORS = { alert: 'red', deployment: 'blue', note: 'grey' } as const

/** What happened, as stretches and lines across the plot; the words where there is room for them. */
export function annotationMarks({ box, toX, xSpan }: Plot, annotations: readonly Annotation[], theme: Theme): string {
  let free = 0
  return annotations
    .filter(({ fromMs, toMs = fromMs }) => fromMs <= xSpan.to && toMs >= xSpan.from)
    .sort((a, b) => a.fromMs - b.fromMs)
    .map(({ fromMs, toMs, text, kind }) => {
      const color = theme.states[COLORS[kind]]
      const from = Math.max(0, toX(fromMs))
      const to = toMs === undefined ? from : Math.min(box.width, toX(toMs))
      // At the right edge the words stand before the line.
      const isLast = box.width - from < LEAST_TEXT_WIDTH
      const room = Math.min(MAX_TEXT_WIDTH, (isLast ? from - free : box.width - from) - 12)
      const shown = from >= free && room > 30 ? cut(text, room, SIZE, 'bold') : ''
      if (shown !== '') free = isLast ? box.width : from + textWidth(shown, SIZE, 'bold') + 14
      const style = { size: SIZE, color, weight: 'bold', anchor: isLast ? 'end' : 'start' } as const
      return (
        (to - from > 1
          ? rectangle({ x: from, y: 0, width: to - from, height: box.height }, color, { 'fill-opacity': '0.1' })
          : '') +
        line(from, 0, from, box.height, color, { 'stroke-dasharray': kind === 'deployment' ? '4 3' : undefined }) +
        element('path', { d: marker(from), fill: color }) +
        standingOut(label(from + (isLast ? -7 : 7), SIZE, shown, style), theme)
      )
    })
    .join('')
}

/** With an edge in the colour of the panel, so that it can be read over lines. */
function standingOut(text: string, { panel }: Theme): string {
  if (text === '') return ''
  const edge = { stroke: panel, 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }
  return element('g', edge, text)
}

const marker = (x: number) => `M${(x - 4).toFixed(1)} 0h8l-4 6z`
