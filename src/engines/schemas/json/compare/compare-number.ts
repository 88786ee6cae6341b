import { RULES } from '../rules.ts'
import type { Bound, NumberTree } from '../tree.ts'
import type { Findings } from './findings.ts'
import { compareTyped } from './limits.ts'

export function compareNumbers(written: NumberTree, read: NumberTree, out: Findings): void {
  compareTyped(written, read, out)
  compareBounds('minimum', written.lower, read.lower, out)
  compareBounds('maximum', written.upper, read.upper, out)
  compareMultiples(written.multipleOf, read.multipleOf, out)
  if (written.isInteger && !read.isInteger) out.add(RULES.type_widened, '/type', 'integer', 'number')
  if (!written.isInteger && read.isInteger) out.add(RULES.type_narrowed, '/type', 'number', 'integer')
}

/** A bound and one that excludes itself are one question, whatever the keywords. */
function compareBounds(
  keyword: 'minimum' | 'maximum',
  before: Bound | undefined,
  after: Bound | undefined,
  out: Findings
) {
  if (before?.value === after?.value && before?.isExclusive === after?.isExclusive) return
  const rule = isWithin(keyword, before, after) ? RULES.number_range_widened : RULES.number_range_narrowed
  out.add(rule, `/${keyword}`, shown(keyword, before), shown(keyword, after))
}

function isWithin(keyword: string, before: Bound | undefined, after: Bound | undefined): boolean {
  if (after === undefined) return true
  if (before === undefined) return false
  if (before.value === after.value) return before.isExclusive
  return keyword === 'minimum' ? before.value > after.value : before.value < after.value
}

function shown(keyword: string, bound: Bound | undefined): number | string | undefined {
  if (!bound?.isExclusive) return bound?.value
  return `${keyword === 'minimum' ? 'above' : 'below'} ${bound.value}`
}

function compareMultiples(before: number | undefined, after: number | undefined, out: Findings): void {
  if (before === after) return
  const isCovered = after === undefined || (before !== undefined && isMultiple(before, after))
  out.add(isCovered ? RULES.multiple_of_widened : RULES.multiple_of_narrowed, '/multipleOf', before, after)
}

/** Exact, as decimal numbers: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const [one, other] = [decimalOf(value), decimalOf(of)]
  const exponent = Math.min(one.exponent, other.exponent)
  const [whole, part] = [one, other].map((each) => each.digits * 10n ** BigInt(each.exponent - exponent))
  return (whole as bigint) % (part as bigint) === 0n
}

function decimalOf(value: number): { digits: bigint; exponent: number } {
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
