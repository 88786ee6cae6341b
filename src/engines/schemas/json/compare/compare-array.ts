import { arrayLengthNarrowed } from '../rules/array-length-narrowed.ts'
import { arrayLengthWidened } from '../rules/array-length-widened.ts'
import { containsAdded } from '../rules/contains-added.ts'
import { containsChanged } from '../rules/contains-changed.ts'
import { containsCountNarrowed } from '../rules/contains-count-narrowed.ts'
import { containsCountWidened } from '../rules/contains-count-widened.ts'
import { containsRemoved } from '../rules/contains-removed.ts'
import { uniqueItemsAdded } from '../rules/unique-items-added.ts'
import { uniqueItemsRemoved } from '../rules/unique-items-removed.ts'
import { type ArrayTree, typeName } from '../tree.ts'
import { compareItems } from './compare-items.ts'
import { compareUnevaluated } from './compare-unevaluated.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'
import { compareLimits, compareTyped } from './limits.ts'

export function compareArrays(comparison: Comparison, written: ArrayTree, read: ArrayTree, out: Findings): void {
  compareTyped(written, read, out)
  compareItems(comparison, written, read, out)
  const lengths = { narrowed: arrayLengthNarrowed, widened: arrayLengthWidened }
  compareLimits('minItems', written.minItems, read.minItems, lengths, out)
  compareLimits('maxItems', written.maxItems, read.maxItems, lengths, out)
  if (written.isUnique && !read.isUnique) out.add(uniqueItemsRemoved, '/uniqueItems', true)
  if (!written.isUnique && read.isUnique) out.add(uniqueItemsAdded, '/uniqueItems', undefined, true)
  compareContains(comparison, written, read, out)
  compareUnevaluated(comparison, '/unevaluatedItems', written, read, out)
}

/** Items that fit what the writer counts have to fit what the reader counts, and for an upper limit the other way. */
function compareContains(comparison: Comparison, written: ArrayTree, read: ArrayTree, out: Findings): void {
  const [before, after] = [written.contains, read.contains]
  if (after === undefined) {
    if (before !== undefined) out.add(containsRemoved, '/contains', typeName(written.home.of(before.schema)))
    return
  }
  if (before === undefined) {
    const asksNothing = after.min === 0 && after.max === Number.POSITIVE_INFINITY
    if (!asksNothing) out.add(containsAdded, '/contains', undefined, typeName(read.home.of(after.schema)))
    return
  }
  const result = comparison.within(written, before.schema, read, after.schema)
  out.include(result, '/contains')
  if (after.max !== Number.POSITIVE_INFINITY && !result.isSame) {
    const turned = comparison.within(read, after.schema, written, before.schema)
    if (turned.breaks || turned.assumes) out.add(containsChanged, '/contains')
  }
  const counts = { narrowed: containsCountNarrowed, widened: containsCountWidened }
  compareLimits('minContains', before.min, after.min, counts, out)
  compareLimits('maxContains', before.max, after.max, counts, out)
}
