import type { Rule } from '../../format.ts'
import { RULES } from '../rules.ts'
import { type ArrayTree, type ObjectTree, typeName } from '../tree.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'

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

/** Properties without a schema of their own, or items after those with one. */
export function compareRest<T extends ObjectTree | ArrayTree>(
  comparison: Comparison,
  written: T,
  read: T,
  out: Findings
) {
  const rules = written.kind === 'object' ? OF_OBJECTS : OF_ARRAYS
  const [before, after] = [written.home.of(written.rest), read.home.of(read.rest)]
  // The same in both directions.
  const path = `/${[written.restKeyword, read.restKeyword].sort()[0]}`
  const [one, other] = [typeName(before), typeName(after)]
  if (before.kind === 'false' && after.kind === 'false') return
  if (before.kind === 'false') out.add(rules.allowed, path, one, other)
  else if (after.kind === 'false') out.add(rules.refused, path, one, other)
  else if (before.kind === 'empty' && after.kind !== 'empty') out.add(rules.narrowed, path, one, other)
  else if (before.kind !== 'empty' && after.kind === 'empty') out.add(rules.widened, path, one, other)
  else out.include(comparison.of(before, after), path)
}
