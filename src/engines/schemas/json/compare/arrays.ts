import type { Rule } from '../../format.ts'
import type { JsonSchema } from '../model.ts'
import { RULES } from '../rules.ts'
import { type ArrayTree, type ObjectTree, type Tree, typeName, type Unevaluated } from '../tree.ts'
import type { Comparison, Findings } from './comparison.ts'
import { compareLimits, compareTyped } from './scalars.ts'

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

/** Compares items by position, then all others. */
function compareItems(comparison: Comparison, written: ArrayTree, read: ArrayTree, out: Findings): void {
  if (isFormChanged(written, read)) {
    out.add(RULES.items_form_changed, '/items', written.isTuple ? 'tuple' : 'list', read.isTuple ? 'tuple' : 'list')
  }
  // Sorted, so that the path is the same with the sides swapped.
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

interface Rules {
  readonly allowed: Rule
  readonly refused: Rule
  readonly narrowed: Rule
  readonly widened: Rule
}

const OF_OBJECTS: Rules = {
  allowed: RULES.additional_properties_allowed,
  refused: RULES.additional_properties_refused,
  narrowed: RULES.additional_properties_narrowed,
  widened: RULES.additional_properties_widened
}
const OF_ARRAYS: Rules = {
  allowed: RULES.additional_items_allowed,
  refused: RULES.additional_items_refused,
  narrowed: RULES.additional_items_narrowed,
  widened: RULES.additional_items_widened
}

/** Compares the schemas for all other properties or items, which have none of their own. */
export function compareRest<T extends ObjectTree | ArrayTree>(
  comparison: Comparison,
  written: T,
  read: T,
  out: Findings
) {
  const rules = written.kind === 'object' ? OF_OBJECTS : OF_ARRAYS
  const [before, after] = [written.home.of(written.rest), read.home.of(read.rest)]
  // Sorted, so that the path is the same with the sides swapped.
  const path = `/${[written.restKeyword, read.restKeyword].sort()[0]}`
  const [one, other] = [typeName(before), typeName(after)]
  if (before.kind === 'false' && after.kind === 'false') return
  if (before.kind === 'false') out.add(rules.allowed, path, one, other)
  else if (after.kind === 'false') out.add(rules.refused, path, one, other)
  else if (before.kind === 'empty' && after.kind !== 'empty') out.add(rules.narrowed, path, one, other)
  else if (before.kind !== 'empty' && after.kind === 'empty') out.add(rules.widened, path, one, other)
  else out.include(comparison.of(before, after), path)
}

/**
 * Where other schemas look at the same value, what they leave over depends on all of them: it is only known to be the
 * same where they are. Comes last, when everything else has been found.
 */
export function compareUnevaluated<T extends ArrayTree | ObjectTree>(
  comparison: Comparison,
  path: string,
  written: T,
  read: T,
  out: Findings
): void {
  const [before, after] = [written.unevaluated, read.unevaluated]
  if (after === undefined || read.home.of(after.schema).kind === 'empty') {
    if (before !== undefined && after === undefined) out.add(RULES.unevaluated_removed, path)
    return
  }
  if (before === undefined || !out.isSame || !isSameBeside(comparison, before, after))
    out.add(RULES.unevaluated_unclear, path)
  else out.include(comparison.within(written, before.schema, read, after.schema), path)
}

function isSameBeside(comparison: Comparison, before: Unevaluated, after: Unevaluated): boolean {
  if (before.beside === undefined || after.beside === undefined) return before.beside === after.beside
  return comparison.of(before.beside, after.beside).isSame
}
