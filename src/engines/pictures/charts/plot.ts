import type { Span } from '../numbers/ticks.ts'
import type { Box } from '../picture.ts'
import type { Theme } from '../theme.ts'

/** What a panel is drawn with: where, in which colours. */
export interface Canvas {
  readonly box: Box
  readonly theme: Theme
}

/** A place for values over an axis. Coordinates begin at its corner. */
export interface Plot {
  readonly box: Box
  /** From a time or place to pixels from the left. */
  toX(x: number): number
  /** From a value to pixels from the top. */
  toY(y: number): number
  readonly xSpan: Span
  readonly ySpan: Span
}

export function plotIn(box: Box, xSpan: Span, ySpan: Span): Plot {
  const scale =
    ({ from, to }: Span, length: number) =>
    (value: number) =>
      ((value - from) / (to - from || 1)) * length
  const [toX, up] = [scale(xSpan, box.width), scale(ySpan, box.height)]
  return { box, toX, toY: (y) => box.height - up(y), xSpan, ySpan }
}

/** What is left of a box without so much at its sides. */
export function inside({ x, y, width, height }: Box, top: number, right: number, bottom: number, left: number): Box {
  return {
    x: x + left,
    y: y + top,
    width: Math.max(1, width - left - right),
    height: Math.max(1, height - top - bottom)
  }
}
