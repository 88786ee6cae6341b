import { escapeName } from '../document-index.ts'
import type { JsonSchema } from '../model.ts'
import { RULES } from '../rules.ts'
import { type ObjectTree, type Tree, typeName } from '../tree.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'

export function compareProperties(comparison: Comparison, written: ObjectTree, read: ObjectTree, out: Findings): void {
  for (const [name, schema] of written.properties) {
    const path = `/properties/${escapeName(name)}`
    const after = read.properties.get(name)
    if (after !== undefined) out.include(comparison.within(written, schema, read, after), path)
    else compareRemoved(comparison, name, path, written, read, out)
  }
  for (const [name, schema] of read.properties) {
    if (!written.properties.has(name)) {
      compareAdded(comparison, name, `/properties/${escapeName(name)}`, written, read.home.of(schema), out)
    }
  }
}

/** What the reader asks of a property it has no schema for. All of it has to hold. */
function asked(comparison: Comparison, name: string, written: ObjectTree, read: ObjectTree): Tree[] {
  const found: JsonSchema[] = []
  let isMatched = false
  for (const [pattern, schema] of read.patterns) {
    const isMatch = comparison.matches(pattern, name)
    if (isMatch) isMatched = true
    // What both have for a pattern is compared there.
    if (isMatch !== false && !written.patterns.has(pattern)) found.push(schema)
  }
  if (!isMatched) found.push(read.rest)
  return found.map((schema) => read.home.of(schema)).filter((tree) => tree.kind !== 'empty')
}

function compareRemoved(
  comparison: Comparison,
  name: string,
  path: string,
  written: ObjectTree,
  read: ObjectTree,
  out: Findings
): void {
  const before = written.home.of(written.properties.get(name) as JsonSchema)
  const after = asked(comparison, name, written, read)
  if (after.length === 0) out.add(RULES.property_removed_from_open_object, path, typeName(before))
  else if (before.kind === 'false') out.add(RULES.impossible_property_removed, path, typeName(before))
  else if (after.some(({ kind }) => kind === 'false'))
    out.add(RULES.property_removed_from_closed_object, path, typeName(before))
  else {
    const results = after.map((tree) => comparison.of(before, tree))
    for (const result of results) out.include(result, path)
    const isCovered = results.every(({ breaks }) => !breaks)
    const names = after.map(typeName).join(' and ')
    out.add(
      isCovered ? RULES.property_removed_covered : RULES.property_removed_uncovered,
      path,
      typeName(before),
      names
    )
  }
}

/** What the writer may have put into a property it has no schema for: one of these. Empty where it can't be there. */
function possible(comparison: Comparison, name: string, written: ObjectTree): { trees: Tree[]; isSure: boolean } {
  const sure: JsonSchema[] = []
  const perhaps: JsonSchema[] = []
  for (const [pattern, schema] of written.patterns) {
    const isMatch = comparison.matches(pattern, name)
    if (isMatch !== false) (isMatch ? sure : perhaps).push(schema)
  }
  const isSure = sure.length > 0
  const schemas = isSure ? sure : [...perhaps, written.rest]
  return { isSure, trees: schemas.map((schema) => written.home.of(schema)).filter(({ kind }) => kind !== 'false') }
}

function compareAdded(
  comparison: Comparison,
  name: string,
  path: string,
  written: ObjectTree,
  after: Tree,
  out: Findings
): void {
  const { trees, isSure } = possible(comparison, name, written)
  if (trees.length === 0) out.add(RULES.property_added_to_closed_object, path, undefined, typeName(after))
  else if (after.kind === 'empty') out.add(RULES.property_without_constraint_added, path, undefined, typeName(after))
  else if (trees.every(({ kind }) => kind === 'empty')) {
    out.add(RULES.property_added_to_open_object, path, undefined, typeName(after))
  } else {
    const results = trees.map((tree) => comparison.of(tree, after))
    const fitting = results.filter(({ breaks }) => !breaks)
    // All patterns that match hold at once, so one that is enough is enough.
    const isCovered = isSure ? fitting.length > 0 : fitting.length === results.length
    for (const result of isSure && isCovered ? fitting.slice(0, 1) : results) out.include(result, path)
    const names = [...new Set(trees.map(typeName))].join(' or ')
    out.add(isCovered ? RULES.property_added_covered : RULES.property_added_uncovered, path, names, typeName(after))
  }
}
