import { kindOf } from '../../evaluation/columns.ts'
import { type Candidate, FEW, inWords, type KnownColumn, sure } from './candidate.ts'
import { isNamedKey, looksLikeKey } from './keys.ts'

/** What is so many times as far out as most values are apart is taken to be a slip, and no reason for a bound. */
const FAR_OUT = 3
const PERCENT_NAME = /(?:percent|percentage|pct)$/i

/** Bounds that leave room for half as much again as 98 % of the values take. */
export function rangeCandidate(column: KnownColumn): Candidate[] {
  const { name, type, count, min, max, quantiles, distinct, masked } = column
  const kind = kindOf(type)
  if (masked || count < FEW || (kind !== 'whole' && kind !== 'float')) return []
  if ((column.nan ?? 0) + (column.infinite ?? 0) > 0 || (distinct?.count ?? 0) <= 2) return []
  if (isNamedKey(column) || looksLikeKey(column) || typeof min !== 'number' || typeof max !== 'number') return []
  const low = Number(quantiles[0]?.value)
  const high = Number(quantiles.at(-1)?.value)
  const spread = high - low
  if (!(spread > 0) || !Number.isFinite(spread)) return []
  const bounds = {
    ...(low - min <= FAR_OUT * spread && { min: lowerBound(min, spread) }),
    ...(max - high <= FAR_OUT * spread && { max: upperBound(column, min, max, spread) })
  }
  if (Object.values(bounds).some((bound) => Math.abs(bound) > Number.MAX_SAFE_INTEGER && kind === 'whole')) return []
  if (Object.keys(bounds).length === 0) return []
  return [
    {
      type: 'range',
      config: { column: name, ...bounds },
      words: `${name} is in range`,
      evidence: `The ${inWords(count)} values of ${name} lie between ${min} and ${max}, and 98 % of them between ${low} and ${high}.`,
      confidence: sure(0.6, count)
    }
  ]
}

/** What is never below zero is taken to stay so. */
function lowerBound(min: number, spread: number): number {
  const bound = -outward(spread / 2 - min)
  return min >= 0 ? Math.max(0, bound) + 0 : bound
}

function upperBound({ name, type }: KnownColumn, min: number, max: number, spread: number): number {
  if (min >= 0 && max <= 100 && PERCENT_NAME.test(name)) return 100
  if (min >= 0 && max <= 1 && kindOf(type) === 'float') return 1
  const bound = outward(max + spread / 2)
  return max <= 0 ? Math.min(0, bound) : bound
}

/** The next number above that has two digits and else zeros. */
function outward(value: number): number {
  if (value === 0) return 0
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1)
  const rounded = Number((Math.ceil(value / unit) * unit).toPrecision(2))
  return Number.isFinite(rounded) && rounded >= value ? rounded : value
}
