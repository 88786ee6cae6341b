import type { JsonSchema } from '../model.ts'
import { RULES } from '../rules.ts'
import { type ArrayTree, type Tree, typeName } from '../tree.ts'
import { compareRest } from './compare-rest.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'

/** Items by position, then all others. */
export function compareItems(comparison: Comparison, written: ArrayTree, read: ArrayTree, out: Findings): void {
  if (isFormChanged(written, read)) {
    out.add(RULES.items_form_changed, '/items', written.isTuple ? 'tuple' : 'list', read.isTuple ? 'tuple' : 'list')
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
  if (after.kind === 'empty') out.add(RULES.item_removed_from_open_array, path, one)
  else if (after.kind === 'false') {
    out.add(before.kind === 'false' ? RULES.impossible_item_removed : RULES.item_removed_from_closed_array, path, one)
  } else {
    const result = comparison.of(before, after)
    out.include(result, path)
    out.add(result.breaks ? RULES.item_removed_uncovered : RULES.item_removed_covered, path, one, other)
  }
}

function compareAdded(comparison: Comparison, after: Tree, path: string, written: ArrayTree, out: Findings): void {
  const before = written.home.of(written.rest)
  const [one, other] = [typeName(before), typeName(after)]
  if (before.kind === 'false') out.add(RULES.item_added_to_closed_array, path, undefined, other)
  else if (after.kind === 'empty') out.add(RULES.item_without_constraint_added, path, undefined, other)
  else if (before.kind === 'empty') out.add(RULES.item_added_to_open_array, path, undefined, other)
  else {
    const result = comparison.of(before, after)
    out.include(result, path)
    out.add(result.breaks ? RULES.item_added_uncovered : RULES.item_added_covered, path, one, other)
  }
}
