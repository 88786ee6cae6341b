import type { Span } from './ticks.ts'
import { type Tick, tickText, unitFactors, valueTicks } from './units.ts'

/** Numbers below are as good as zero, which no such axis reaches. */
const LEAST = 1e-300
const ROUNDING = 1e-9
/** Where the greatest is more times the least than this, an axis ends at tens only. */
const WIDE = 100
/** A span that is narrower is made wider. */
const NARROW = 1.2

/** Whether a value has a place on a logarithmic axis. */
export const isPlaceable = (value: number): boolean => value >= LEAST

/** From where to where a logarithmic axis goes: round numbers around the data, unless told otherwise. */
export function logarithmicSpan(data: Span, min: number | undefined, max: number | undefined, unit?: string): Span {
  const isNarrow = data.to / data.from < NARROW
  const [least, most] = isNarrow ? [data.from / 1.5, data.to * 1.5] : [data.from, data.to]
  const round = roundNumbers({ from: least / 100, to: most * 100 }, unit, most / least <= WIDE)
  const from = min !== undefined && isPlaceable(min) ? min : round.findLast((one) => one <= least * (1 + ROUNDING))
  const to = max !== undefined && isPlaceable(max) ? max : round.find((one) => one >= most * (1 - ROUNDING))
  const span = { from: from ?? least, to: to ?? most }
  return span.from < span.to ? span : { from: least, to: most }
}

/** At most so many ticks within the span: tens, with twos and fives where there is room, or even ones where it is short. */
export function logarithmicTicks(span: Span, most: number, unit?: string, decimals?: number): Tick[] {
  const isWithin = (one: number) => one >= span.from * (1 - ROUNDING) && one <= span.to * (1 + ROUNDING)
  const tens = roundNumbers(span, unit, false).filter(isWithin)
  const all = roundNumbers(span, unit, true).filter(isWithin)
  if (all.length < 3) return valueTicks(span, most, unit, decimals)
  const chosen = all.length <= most || tens.length < 2 ? all : tens
  const every = Math.ceil(chosen.length / most)
  return chosen.filter((_, i) => i % every === 0).map((value) => ({ value, text: tickText(value, unit) }))
}

/** Of ten: what is smaller is 0. */
const LEAST_POWER = -323

/** Numbers around the span that have few digits in the unit, in order: tens of each of its steps, and twos and fives. */
function roundNumbers({ from, to }: Span, unit: string | undefined, withBetween: boolean): number[] {
  const factors = unitFactors(unit)
  // Ten times the largest number there is would be infinite, which no power of ten goes beyond.
  const most = Math.min(to * 10, Number.MAX_VALUE)
  const tens = factors.flatMap((factor, i) => {
    const next = factors[i + 1] ?? Number.POSITIVE_INFINITY
    const found: number[] = []
    const first = i === 0 ? Math.max(LEAST_POWER, Math.floor(Math.log10(from / factor))) : 0
    // None that is all but the next step, such as 1000 bytes beside a KiB.
    for (let power = first; factor * 10 ** power <= most && factor * 10 ** power * 3 <= next; power++) {
      if (factor * 10 ** power >= from / 100) found.push(factor * 10 ** power)
    }
    return found
  })
  if (!withBetween) return tens
  return tens.flatMap((ten, i) => {
    const next = tens[i + 1] ?? ten * 10
    return [ten, ...[2 * ten, 5 * ten].filter((one) => one * 1.5 <= next)]
  })
}
