import { logarithmicSpan, logarithmicTicks } from '../numbers/logarithmic.ts'
import { drawable, rounded, type Span, widened } from '../numbers/ticks.ts'
import { timeTicks } from '../numbers/times.ts'
import { axisFactor, type Tick, valueTicks } from '../numbers/units.ts'
import type { PanelOptions } from '../picture.ts'
import { label, line } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import type { Theme } from '../theme.ts'
import type { Plot } from './plot.ts'

export const AXIS_SIZE = 11
const LEAST_TICK_HEIGHT = 28
const LEAST_TICK_WIDTH = 64
const TIME_LABEL_WIDTH = 76
export const LABEL_GAP = 8
const LEAST_NAME_WIDTH = 44

/** From where to where an axis of values goes: nice numbers around the data, unless the options say otherwise. */
export function valueSpan(values: Span, options: PanelOptions, withZero: boolean, ticks: number): Span {
  const { min, max, unit } = options
  if (options.logarithmic === true) return logarithmicSpan(values, min, max, unit)
  const data = options.reachThresholds === true ? withThresholds(values, options) : values
  const wide = widened({
    from: min ?? (withZero ? Math.min(0, data.from) : data.from),
    to: max ?? (withZero ? Math.max(0, data.to) : data.to)
  })
  const factor = axisFactor(wide, unit)
  const nice = rounded({ from: wide.from / factor, to: wide.to / factor }, ticks - 1)
  const from = min === undefined ? nice.from * factor : wide.from
  const to = max === undefined ? nice.to * factor : wide.to
  return from < to ? { from, to } : wide
}

/** With some room beyond the thresholds, so that they do not lie on the edge. */
function withThresholds({ from, to }: Span, { thresholds = [] }: PanelOptions): Span {
  const values = thresholds.map(({ value }) => drawable(value) ?? from)
  const [least, most] = [Math.min(from, ...values), Math.max(to, ...values)]
  const room = (most - least) * 0.1
  return { from: least < from ? least - room : from, to: most > to ? most + room : to }
}

const bounded = (ticks: number) => Math.max(3, Math.min(9, Math.floor(ticks) + 1))

/** How many ticks an axis of values has room for. */
export const ticksUp = (height: number): number => bounded(height / LEAST_TICK_HEIGHT)
export const ticksAcross = (width: number): number => bounded(width / LEAST_TICK_WIDTH)

export function ticksFor(span: Span, most: number, { unit, decimals, logarithmic }: PanelOptions): Tick[] {
  return (logarithmic === true ? logarithmicTicks : valueTicks)(span, most, unit, decimals)
}

/** The room that the labels of an axis need at its left. */
export function axisWidth(ticks: readonly Tick[], most: number): number {
  return Math.min(most, Math.ceil(Math.max(0, ...ticks.map(({ text }) => textWidth(text, AXIS_SIZE)))) + LABEL_GAP)
}

export function valueAxis({ box, toY, ySpan }: Plot, ticks: readonly Tick[], theme: Theme, room: number): string {
  return ticks
    .map(({ value, text }) => {
      const y = Math.round(box.y + toY(value)) + 0.5
      const isZero = value === 0 && ySpan.from < 0
      const shown = cut(text, room - LABEL_GAP, AXIS_SIZE)
      return (
        line(box.x, y, box.x + box.width, y, isZero ? theme.muted : theme.grid) +
        label(box.x - LABEL_GAP, y + 3.5, shown, { size: AXIS_SIZE, color: theme.muted, anchor: 'end' })
      )
    })
    .join('')
}

export function timeAxis({ box, toX, xSpan }: Plot, timeZone: string, theme: Theme): string {
  const most = Math.max(1, Math.min(12, Math.floor(box.width / TIME_LABEL_WIDTH)))
  const bottom = box.y + box.height
  let free = box.x - 24
  return timeTicks(xSpan.from, xSpan.to, timeZone, most)
    .map(({ ms, text }) => {
      const x = Math.round(box.x + toX(ms)) + 0.5
      const half = textWidth(text, AXIS_SIZE) / 2
      const isFree = x - half >= free && x + half <= box.x + box.width + 14
      if (isFree) free = x + half + LABEL_GAP
      return (
        line(x, bottom, x, bottom + 4, theme.border) +
        (isFree ? label(x, bottom + 17, text, { size: AXIS_SIZE, color: theme.muted, anchor: 'middle' }) : '')
      )
    })
    .join('')
}

/** Names below their places; where they do not fit, every second, third … of them. */
export function categoryAxis({ box, toX }: Plot, categories: readonly string[], theme: Theme): string {
  const each = box.width / Math.max(1, categories.length)
  const widest = Math.max(1, ...categories.slice(0, 200).map((name) => textWidth(name.slice(0, 30), AXIS_SIZE)))
  const every = Math.max(1, Math.ceil(Math.min(widest + LABEL_GAP, LEAST_NAME_WIDTH) / each))
  const room = each * every - LABEL_GAP
  let labels = ''
  for (let i = 0; i < categories.length; i += every) {
    const text = cut(categories[i] as string, room, AXIS_SIZE)
    const style = { size: AXIS_SIZE, color: theme.muted, anchor: 'middle' } as const
    labels += label(box.x + toX(i), box.y + box.height + 17, text, style)
  }
  return labels
}
