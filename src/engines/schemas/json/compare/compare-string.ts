import type { Rule } from '../../format.ts'
import { textOf } from '../canonical.ts'
import { contentAdded } from '../rules/content-added.ts'
import { contentChanged } from '../rules/content-changed.ts'
import { contentRemoved } from '../rules/content-removed.ts'
import { formatAdded } from '../rules/format-added.ts'
import { formatChanged } from '../rules/format-changed.ts'
import { formatRemoved } from '../rules/format-removed.ts'
import { patternAdded } from '../rules/pattern-added.ts'
import { patternChanged } from '../rules/pattern-changed.ts'
import { patternRemoved } from '../rules/pattern-removed.ts'
import { stringLengthNarrowed } from '../rules/string-length-narrowed.ts'
import { stringLengthWidened } from '../rules/string-length-widened.ts'
import type { StringTree } from '../tree.ts'
import type { Findings } from './findings.ts'
import { compareLimits, compareTyped } from './limits.ts'

export function compareStrings(written: StringTree, read: StringTree, out: Findings): void {
  compareTyped(written, read, out)
  const lengths = { narrowed: stringLengthNarrowed, widened: stringLengthWidened }
  compareLimits('minLength', written.minLength, read.minLength, lengths, out)
  compareLimits('maxLength', written.maxLength, read.maxLength, lengths, out)
  compareOne('pattern', written.pattern, read.pattern, [patternAdded, patternRemoved, patternChanged], out)
  compareOne('format', written.format, read.format, [formatAdded, formatRemoved, formatChanged], out)
  for (const keyword of new Set([...written.content.keys(), ...read.content.keys()])) {
    const [before, after] = [written.content.get(keyword), read.content.get(keyword)]
    compareOne(keyword, textOr(before), textOr(after), [contentAdded, contentRemoved, contentChanged], out)
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
