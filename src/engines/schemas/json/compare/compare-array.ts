import { RULES } from '../rules.ts'
import { type ArrayTree, typeName } from '../tree.ts'
import { compareItems } from './compare-items.ts'
import { compareUnevaluated } from './compare-unevaluated.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'
import { compareLimits, compareTyped } from './limits.ts'

export function compareArrays(comparison: Comparison, written: ArrayTree, read: ArrayTree, out: Findings): void {
  compareTyped(written, read, out)
  compareItems(comparison, written, read, out)
  const lengths = { narrowed: RULES.array_length_narrowed, widened: RULES.array_length_widened }
  compareLimits('minItems', written.minItems, read.minItems, lengths, out)
  compareLimits('maxItems', written.maxItems, read.maxItems, lengths, out)
  if (written.isUnique && !read.isUnique) out.add(RULES.unique_items_removed, '/uniqueItems', true)
  if (!written.isUnique && read.isUnique) out.add(RULES.unique_items_added, '/uniqueItems', undefined, true)
  compareContains(comparison, written, read, out)
  compareUnevaluated(comparison, '/unevaluatedItems', written, read, out)
}

/** Items that fit what the writer counts have to fit what the reader counts, and for an upper limit the other way. */
function compareContains(comparison: Comparison, written: ArrayTree, read: ArrayTree, out: Findings): void {
  const [before, after] = [written.contains, read.contains]
  if (after === undefined) {
    if (before !== undefined) out.add(RULES.contains_removed, '/contains', typeName(written.home.of(before.schema)))
    return
  }
  if (before === undefined) {
    const asksNothing = after.min === 0 && after.max === Number.POSITIVE_INFINITY
    if (!asksNothing) out.add(RULES.contains_added, '/contains', undefined, typeName(read.home.of(after.schema)))
    return
  }
  const result = comparison.within(written, before.schema, read, after.schema)
  out.include(result, '/contains')
  if (after.max !== Number.POSITIVE_INFINITY && !result.isSame) {
    const turned = comparison.within(read, after.schema, written, before.schema)
    if (turned.breaks || turned.assumes) out.add(RULES.contains_changed, '/contains')
  }
  const counts = { narrowed: RULES.contains_count_narrowed, widened: RULES.contains_count_widened }
  compareLimits('minContains', before.min, after.min, counts, out)
  compareLimits('maxContains', before.max, after.max, counts, out)
}
