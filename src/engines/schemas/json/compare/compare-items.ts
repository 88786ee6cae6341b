import type { JsonSchema } from '../model.ts'
import { impossibleItemRemoved } from '../rules/impossible-item-removed.ts'
import { itemAddedCovered } from '../rules/item-added-covered.ts'
import { itemAddedToClosedArray } from '../rules/item-added-to-closed-array.ts'
import { itemAddedToOpenArray } from '../rules/item-added-to-open-array.ts'
import { itemAddedUncovered } from '../rules/item-added-uncovered.ts'
import { itemRemovedCovered } from '../rules/item-removed-covered.ts'
import { itemRemovedFromClosedArray } from '../rules/item-removed-from-closed-array.ts'
import { itemRemovedFromOpenArray } from '../rules/item-removed-from-open-array.ts'
import { itemRemovedUncovered } from '../rules/item-removed-uncovered.ts'
import { itemWithoutConstraintAdded } from '../rules/item-without-constraint-added.ts'
import { itemsFormChanged } from '../rules/items-form-changed.ts'
import { type ArrayTree, type Tree, typeName } from '../tree.ts'
import { compareRest } from './compare-rest.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'

/** Items by position, then all others. */
export function compareItems(comparison: Comparison, written: ArrayTree, read: ArrayTree, out: Findings): void {
  if (isFormChanged(written, read)) {
    out.add(itemsFormChanged, '/items', written.isTuple ? 'tuple' : 'list', read.isTuple ? 'tuple' : 'list')
  }
  // The same in both directions.
  const keyword = [written.prefixKeyword, read.prefixKeyword].sort()[0]
  const count = Math.max(written.prefix.length, read.prefix.length)
  for (let i = 0; i < count; i++) {
    const path = `/${keyword}/${i}`
    const [before, after] = [written.prefix[i], read.prefix[i]]
    if (before !== undefined && after !== undefined) out.include(comparison.within(written, before, read, after), path)
    else if (before !== undefined) compareRemoved(comparison, written.home.of(before), path, read, out)
    else compareAdded(comparison, read.home.of(after as JsonSchema), path, written, out)
  }
  compareRest(comparison, written, read, out)
}

/** Whether one describes items by position and the other all alike, and the reader's description says something. */
function isFormChanged(written: ArrayTree, read: ArrayTree): boolean {
  const isEmpty = (schema: JsonSchema) => read.home.of(schema).kind === 'empty'
  if (written.isTuple && !read.isTuple && written.prefix.length > 0) return !isEmpty(read.rest)
  const saysSomething = written.home.of(written.rest).kind !== 'empty'
  return !written.isTuple && read.isTuple && saysSomething && read.prefix.some((schema) => !isEmpty(schema))
}

function compareRemoved(comparison: Comparison, before: Tree, path: string, read: ArrayTree, out: Findings): void {
  const after = read.home.of(read.rest)
  const [one, other] = [typeName(before), typeName(after)]
  if (after.kind === 'empty') out.add(itemRemovedFromOpenArray, path, one)
  else if (after.kind === 'false') {
    out.add(before.kind === 'false' ? impossibleItemRemoved : itemRemovedFromClosedArray, path, one)
  } else {
    const result = comparison.of(before, after)
    out.include(result, path)
    out.add(result.breaks ? itemRemovedUncovered : itemRemovedCovered, path, one, other)
  }
}

function compareAdded(comparison: Comparison, after: Tree, path: string, written: ArrayTree, out: Findings): void {
  const before = written.home.of(written.rest)
  const [one, other] = [typeName(before), typeName(after)]
  if (before.kind === 'false') out.add(itemAddedToClosedArray, path, undefined, other)
  else if (after.kind === 'empty') out.add(itemWithoutConstraintAdded, path, undefined, other)
  else if (before.kind === 'empty') out.add(itemAddedToOpenArray, path, undefined, other)
  else {
    const result = comparison.of(before, after)
    out.include(result, path)
    out.add(result.breaks ? itemAddedUncovered : itemAddedCovered, path, one, other)
  }
}
