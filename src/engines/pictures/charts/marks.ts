import { valueText } from '../numbers/units.ts'
import type { Annotation, PanelOptions } from '../picture.ts'
import { element, label, line, rectangle } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import type { Theme } from '../theme.ts'
import type { Plot } from './plot.ts'

const SIZE = 10
const MAX_TEXT_WIDTH = 160

/** Thresholds as dashed lines across the plot, with their values at the right. */
export function thresholdLines({ box, toY, ySpan }: Plot, options: PanelOptions, theme: Theme): string {
  const { thresholds = [], unit, decimals } = options
  let lowest = Number.POSITIVE_INFINITY
  return thresholds
    .filter(({ value }) => value >= ySpan.from && value <= ySpan.to)
    .map(({ value, color }) => {
      const [y, stroke] = [toY(value), theme.states[color]]
      const isFree = lowest - y >= SIZE + 4 && y >= SIZE + 2
      if (isFree) lowest = y
      const style = { size: SIZE, color: stroke, weight: 'bold', anchor: 'end' } as const
      return (
        line(0, y, box.width, y, stroke, { 'stroke-dasharray': '5 4', 'stroke-width': 1.25 }) +
        (isFree ? standingOut(label(box.width - 4, y - 4, valueText(value, unit, decimals), style), theme) : '')
      )
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
      const room = Math.min(MAX_TEXT_WIDTH, box.width - from - 12)
      const shown = from >= free && room > 30 ? cut(text, room, SIZE, 'bold') : ''
      if (shown !== '') free = from + textWidth(shown, SIZE, 'bold') + 14
      return (
        (to - from > 1
          ? rectangle({ x: from, y: 0, width: to - from, height: box.height }, color, { 'fill-opacity': '0.1' })
          : '') +
        line(from, 0, from, box.height, color, { 'stroke-dasharray': kind === 'deployment' ? '4 3' : undefined }) +
        element('path', { d: marker(from), fill: color }) +
        standingOut(label(from + 7, SIZE, shown, { size: SIZE, color, weight: 'bold' }), theme)
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
