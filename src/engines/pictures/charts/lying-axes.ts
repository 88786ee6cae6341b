import type { Span } from '../numbers/ticks.ts'
import { timeTicks } from '../numbers/times.ts'
import type { Tick } from '../numbers/units.ts'
import { label, line } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import type { Theme } from '../theme.ts'
import { AXIS_SIZE, LABEL_GAP } from './axes.ts'
import type { Plot } from './plot.ts'

const LEAST_NAME_HEIGHT = 12
const LEAST_TIME_HEIGHT = 28

/** Names or times that go down the left side. */
export interface SideLabel {
  /** A place or a time. */
  readonly x: number
  readonly text: string
}

/** The names of places; where they do not fit, every second, third … of them. */
export function sideNames(categories: readonly string[], height: number): SideLabel[] {
  const every = Math.max(1, Math.ceil((LEAST_NAME_HEIGHT * categories.length) / height))
  return categories.map((text, x) => ({ x, text })).filter(({ x }) => x % every === 0)
}

export function sideTimes({ from, to }: Span, timeZone: string, height: number): SideLabel[] {
  const most = Math.max(1, Math.min(20, Math.floor(height / LEAST_TIME_HEIGHT)))
  return timeTicks(from, to, timeZone, most).map(({ ms, text }) => ({ x: ms, text }))
}

/** The room that they need at the left. */
export function sideWidth(labels: readonly SideLabel[], most: number): number {
  const widest = Math.max(0, ...labels.map(({ text }) => textWidth(text.slice(0, 60), AXIS_SIZE)))
  return Math.min(most, Math.ceil(widest) + LABEL_GAP + 1)
}

export function sideAxis({ box, toX }: Plot, labels: readonly SideLabel[], theme: Theme, room: number): string {
  const style = { size: AXIS_SIZE, color: theme.muted, anchor: 'end' } as const
  return labels
    .map(({ x, text }) => label(box.x - LABEL_GAP, box.y + toX(x) + 4, cut(text, room - LABEL_GAP, AXIS_SIZE), style))
    .join('')
}

/** Values from left to right, below the plot. */
export function bottomValueAxis({ box, toY, ySpan }: Plot, ticks: readonly Tick[], theme: Theme): string {
  const bottom = box.y + box.height
  let free = Number.NEGATIVE_INFINITY
  return ticks
    .map(({ value, text }) => {
      const x = Math.round(box.x + toY(value)) + 0.5
      const isZero = value === 0 && ySpan.from < 0
      const half = textWidth(text, AXIS_SIZE) / 2
      const isFree = x - half >= free
      if (isFree) free = x + half + LABEL_GAP
      return (
        line(x, box.y, x, bottom, isZero ? theme.muted : theme.grid) +
        (isFree ? label(x, bottom + 17, text, { size: AXIS_SIZE, color: theme.muted, anchor: 'middle' }) : '')
      )
    })
    .join('')
}
