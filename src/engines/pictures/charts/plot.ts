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
  /** Times or places go down and values to the right, rather than to the right and up. */
  readonly isLying: boolean
  /** From a time or place to pixels from the left, or from the top where it lies. */
  toX(x: number): number
  /** From a value to pixels from the top, or from the left where it lies. */
  toY(y: number): number
  readonly xSpan: Span
  readonly ySpan: Span
}

interface PlotForm {
  readonly isLying?: boolean
  /** Of the axis of values. */
  readonly isLogarithmic?: boolean
}

export function plotIn(
  box: Box,
  xSpan: Span,
  ySpan: Span,
  { isLying = false, isLogarithmic = false }: PlotForm = {}
): Plot {
  const toX = even(xSpan, isLying ? box.height : box.width)
  const along = (isLogarithmic ? logarithmic : even)(ySpan, isLying ? box.width : box.height)
  return { box, isLying, toX, toY: isLying ? along : (y) => box.height - along(y), xSpan, ySpan }
}

const even =
  ({ from, to }: Span, length: number) =>
  (value: number) =>
    ((value - from) / (to - from || 1)) * length

/** What is not above 0 lies at the beginning. */
function logarithmic({ from, to }: Span, length: number): (value: number) => number {
  const place = even({ from: Math.log(from), to: Math.log(to) }, length)
  return (value) => (value > 0 ? place(Math.log(value)) : 0)
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
