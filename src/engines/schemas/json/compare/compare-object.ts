import { escapeName } from '../document-index.ts'
import { isNode, own } from '../model.ts'
import { RULES } from '../rules.ts'
import { type ObjectTree, typeName } from '../tree.ts'
import { compareDependents } from './compare-dependents.ts'
import { comparePatterns } from './compare-patterns.ts'
import { compareProperties } from './compare-properties.ts'
import { compareRest } from './compare-rest.ts'
import { compareUnevaluated } from './compare-unevaluated.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'
import { compareLimits, compareTyped } from './limits.ts'

export function compareObjects(comparison: Comparison, written: ObjectTree, read: ObjectTree, out: Findings): void {
  compareTyped(written, read, out)
  compareRequired(written, read, out)
  compareProperties(comparison, written, read, out)
  comparePatterns(comparison, written, read, out)
  compareRest(comparison, written, read, out)
  compareDependents(comparison, written, read, out)
  compareNames(comparison, written, read, out)
  const sizes = { narrowed: RULES.object_size_narrowed, widened: RULES.object_size_widened }
  compareLimits('minProperties', written.minProperties, read.minProperties, sizes, out)
  compareLimits('maxProperties', written.maxProperties, read.maxProperties, sizes, out)
  compareUnevaluated(comparison, '/unevaluatedProperties', written, read, out)
}

/** Also of names that have no schema. */
function compareRequired(written: ObjectTree, read: ObjectTree, out: Findings): void {
  for (const name of written.required) {
    if (!read.required.has(name)) out.add(RULES.required_removed, `/required/${escapeName(name)}`)
  }
  for (const name of read.required) {
    if (written.required.has(name)) continue
    const schema = read.properties.get(name)
    const path = `/required/${escapeName(name)}`
    if (isNode(schema) && Object.hasOwn(schema, 'default')) {
      out.add(RULES.required_with_default_added, path, undefined, shown(own(schema, 'default')))
    } else out.add(RULES.required_added, path)
  }
}

function shown(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : value
}

function compareNames(comparison: Comparison, written: ObjectTree, read: ObjectTree, out: Findings): void {
  const [before, after] = [written.home.of(written.propertyNames), read.home.of(read.propertyNames)]
  if (after.kind === 'empty') {
    if (before.kind !== 'empty') out.add(RULES.property_names_removed, '/propertyNames', typeName(before))
  } else if (before.kind === 'empty') out.add(RULES.property_names_added, '/propertyNames', undefined, typeName(after))
  else out.include(comparison.of(before, after), '/propertyNames')
}
