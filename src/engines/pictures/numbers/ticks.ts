/** Numbers beyond are drawn as if they were these, so that no difference overflows. */
const FARTHEST = 1e300
/** A range that is narrower, beside its numbers, has no digits to tell them apart. */
const NARROWEST = 1e-12
/** More of these stand for rounding than for a difference. */
const ROUNDING = 1e-9

/** A number that can be drawn, or undefined. */
export function drawable(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Math.min(FARTHEST, Math.max(-FARTHEST, value))
}

export interface Span {
  readonly from: number
  readonly to: number
}

/** A span that is wide enough to be divided, around the one that is given. */
export function widened({ from, to }: Span): Span {
  const greatest = Math.max(Math.abs(from), Math.abs(to))
  if (to - from > Math.max(greatest * NARROWEST, 1e-290)) return { from, to }
  const middle = from / 2 + to / 2
  const around = Math.abs(middle) > 1e-280 ? Math.abs(middle) * 0.1 : 1
  return { from: middle - around, to: middle + around }
}

/** One, two or five times a power of ten: the least that divides the span into at most so many steps. */
function niceStep({ from, to }: Span, most: number): number {
  const least = (to - from) / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least * (1 - ROUNDING))
  return (factor ?? 10) * power
}

/** At most so many numbers within the span, each a multiple of one nice step, in order. */
export function numberTicks(span: Span, most: number): number[] {
  const { from, to } = widened(span)
  const step = fittingStep({ from, to }, Math.max(1, most - 1))
  const first = Math.ceil(from / step - ROUNDING)
  const ticks: number[] = []
  for (let i = first; ticks.length < most; i++) {
    const tick = Math.min(Math.max(i * step, from), to)
    if (i * step > to + step * ROUNDING) break
    ticks.push(tick === 0 ? 0 : tick)
  }
  return ticks
}

/** The shortest nice step that has ticks at both ends, where one of the next few has; else the shortest. */
function fittingStep(span: Span, most: number): number {
  const shortest = niceStep(span, most)
  const isAt = (end: number, step: number) => Math.abs(end / step - Math.round(end / step)) < ROUNDING
  let step = shortest
  for (let longer = 0; longer < 3; longer++) {
    if (isAt(span.from, step) && isAt(span.to, step)) return step
    step = niceStep({ from: 0, to: step * 1.5 }, 1)
  }
  return shortest
}

/** The span, made longer to where the next nice steps are; at most so many of them are in it. */
export function rounded(span: Span, most: number): Span {
  const { from, to } = widened(span)
  let step = niceStep({ from, to }, most)
  for (;;) {
    const [first, last] = [Math.floor(from / step + ROUNDING), Math.ceil(to / step - ROUNDING)]
    // Around zero even the longest step leaves two.
    if (last - first <= Math.max(2, most)) return { from: first * step, to: last * step }
    step = niceStep({ from: 0, to: step * 1.5 }, 1)
  }
}
