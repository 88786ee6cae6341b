import type { Rule } from '../../format.ts'
import { textOf } from '../parse.ts'
import { RULES } from '../rules.ts'
import { type Bound, type EnumTree, type NumberTree, type StringTree, type Tree, typeName } from '../tree.ts'
import type { Findings } from './comparison.ts'

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
  out.add(rule, `/${keyword}`, shownBound(keyword, before), shownBound(keyword, after))
}

function isWithin(keyword: string, before: Bound | undefined, after: Bound | undefined): boolean {
  if (after === undefined) return true
  if (before === undefined) return false
  if (before.value === after.value) return before.isExclusive
  return keyword === 'minimum' ? before.value > after.value : before.value < after.value
}

function shownBound(keyword: string, bound: Bound | undefined): number | string | undefined {
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

export function compareStrings(written: StringTree, read: StringTree, out: Findings): void {
  compareTyped(written, read, out)
  const lengths = { narrowed: RULES.string_length_narrowed, widened: RULES.string_length_widened }
  compareLimits('minLength', written.minLength, read.minLength, lengths, out)
  compareLimits('maxLength', written.maxLength, read.maxLength, lengths, out)
  compareOne(
    'pattern',
    written.pattern,
    read.pattern,
    [RULES.pattern_added, RULES.pattern_removed, RULES.pattern_changed],
    out
  )
  compareOne(
    'format',
    written.format,
    read.format,
    [RULES.format_added, RULES.format_removed, RULES.format_changed],
    out
  )
  for (const keyword of new Set([...written.content.keys(), ...read.content.keys()])) {
    const [before, after] = [written.content.get(keyword), read.content.get(keyword)]
    compareOne(
      keyword,
      textOr(before),
      textOr(after),
      [RULES.content_added, RULES.content_removed, RULES.content_changed],
      out
    )
  }
}

function textOr(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : textOf(value).slice(0, 1000)
}

type Rules = [added: Rule, removed: Rule, changed: Rule]

function compareOne(
  keyword: string,
  before: string | undefined,
  after: string | undefined,
  rules: Rules,
  out: Findings
) {
  if (before === after) return
  const [added, removed, changed] = rules
  out.add(before === undefined ? added : after === undefined ? removed : changed, `/${keyword}`, before, after)
}

const MAX_SHOWN = 20
const MAX_CHARS = 200

/** `const` is an `enum` of one. */
export function compareEnums(written: EnumTree, read: EnumTree, out: Findings): void {
  const gone = missing(written, read)
  const fresh = missing(read, written)
  const path = written.isConst && read.isConst ? '/const' : '/enum'
  if (gone.length > 0 && fresh.length > 0) out.add(RULES.enum_changed, path, gone, fresh)
  else if (gone.length > 0) out.add(RULES.enum_reduced, path, gone)
  else if (fresh.length > 0) out.add(RULES.enum_extended, path, undefined, fresh)
}

/** Values of one that the other has not, as far as people can take them in. */
function missing(from: EnumTree, other: EnumTree): unknown[] {
  const found: unknown[] = []
  for (const [text, value] of from.values) {
    if (found.length === MAX_SHOWN) break
    if (!other.values.has(text)) found.push(text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : value)
  }
  return found
}

/** `min…` and `max…` keywords; without one the limit is 0 or infinite. */
export function compareLimits(
  keyword: string,
  before: number,
  after: number,
  rules: { readonly narrowed: Rule; readonly widened: Rule },
  out: Findings
): void {
  if (before === after) return
  const isNarrowed = keyword.startsWith('min') ? after > before : after < before
  out.add(
    isNarrowed ? rules.narrowed : rules.widened,
    `/${keyword}`,
    shownLimit(keyword, before),
    shownLimit(keyword, after)
  )
}

/** The limit for people; undefined where there is no limit. */
function shownLimit(keyword: string, limit: number): number | undefined {
  return limit === Number.POSITIVE_INFINITY || (limit === 0 && keyword.startsWith('min')) ? undefined : limit
}

/** Whether `type` is there, or only keywords of a type, which ask nothing of values of other types. */
export function compareTyped(
  written: Tree & { readonly isTyped: boolean },
  read: Tree & { readonly isTyped: boolean },
  out: Findings
): void {
  if (written.isTyped && !read.isTyped) out.add(RULES.type_left_open, '/type', typeName(written))
  if (!written.isTyped && read.isTyped) out.add(RULES.type_made_explicit, '/type', undefined, typeName(read))
}
