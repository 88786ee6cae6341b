import type { Rule } from '../../format.ts'
import { textOf } from '../canonical.ts'
import { RULES } from '../rules.ts'
import type { StringTree } from '../tree.ts'
import type { Findings } from './findings.ts'
import { compareLimits, compareTyped } from './limits.ts'

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
