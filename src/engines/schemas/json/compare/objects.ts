import { escapeName } from '../document.ts'
import { isNode, type JsonSchema, own } from '../model.ts'
import { RULES } from '../rules.ts'
import { type ObjectTree, type Tree, typeName } from '../tree.ts'
import { compareRest, compareUnevaluated } from './arrays.ts'
import type { Comparison, Findings } from './comparison.ts'
import { compareLimits, compareTyped } from './scalars.ts'

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

/** Compares required names, also those without a schema. */
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

function compareProperties(comparison: Comparison, written: ObjectTree, read: ObjectTree, out: Findings): void {
  for (const [name, schema] of written.properties) {
    const path = `/properties/${escapeName(name)}`
    const after = read.properties.get(name)
    if (after !== undefined) out.include(comparison.within(written, schema, read, after), path)
    else compareRemovedProperty(comparison, name, path, written, read, out)
  }
  for (const [name, schema] of read.properties) {
    if (!written.properties.has(name)) {
      compareAddedProperty(comparison, name, `/properties/${escapeName(name)}`, written, read.home.of(schema), out)
    }
  }
}

/** What the reader asks of a property it has no schema for. All of it has to hold. */
function askedByReader(comparison: Comparison, name: string, written: ObjectTree, read: ObjectTree): Tree[] {
  const found: JsonSchema[] = []
  let isMatched = false
  for (const [pattern, schema] of read.patterns) {
    const isMatch = comparison.matches(pattern, name)
    if (isMatch) isMatched = true
    // A pattern that both schemas have is compared by `comparePatterns`.
    if (isMatch !== false && !written.patterns.has(pattern)) found.push(schema)
  }
  if (!isMatched) found.push(read.rest)
  return found.map((schema) => read.home.of(schema)).filter((tree) => tree.kind !== 'empty')
}

function compareRemovedProperty(
  comparison: Comparison,
  name: string,
  path: string,
  written: ObjectTree,
  read: ObjectTree,
  out: Findings
): void {
  const before = written.home.of(written.properties.get(name) as JsonSchema)
  const after = askedByReader(comparison, name, written, read)
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
function possiblyWritten(
  comparison: Comparison,
  name: string,
  written: ObjectTree
): { trees: Tree[]; isSure: boolean } {
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

function compareAddedProperty(
  comparison: Comparison,
  name: string,
  path: string,
  written: ObjectTree,
  after: Tree,
  out: Findings
): void {
  const { trees, isSure } = possiblyWritten(comparison, name, written)
  if (trees.length === 0) out.add(RULES.property_added_to_closed_object, path, undefined, typeName(after))
  else if (after.kind === 'empty') out.add(RULES.property_without_constraint_added, path, undefined, typeName(after))
  else if (trees.every(({ kind }) => kind === 'empty')) {
    out.add(RULES.property_added_to_open_object, path, undefined, typeName(after))
  } else {
    const results = trees.map((tree) => comparison.of(tree, after))
    const fitting = results.filter(({ breaks }) => !breaks)
    // All matching patterns hold at once, so one that implies what the reader asks is enough.
    const isCovered = isSure ? fitting.length > 0 : fitting.length === results.length
    for (const result of isSure && isCovered ? fitting.slice(0, 1) : results) out.include(result, path)
    const names = [...new Set(trees.map(typeName))].join(' or ')
    out.add(isCovered ? RULES.property_added_covered : RULES.property_added_uncovered, path, names, typeName(after))
  }
}

/** Patterns are the same where their texts are; which names two of them share nobody can say. */
function comparePatterns(comparison: Comparison, written: ObjectTree, read: ObjectTree, out: Findings): void {
  for (const [pattern, schema] of written.patterns) {
    const path = `/patternProperties/${escapeName(pattern)}`
    const after = read.patterns.get(pattern)
    if (after !== undefined) out.include(comparison.within(written, schema, read, after), path)
    else compareRemovedPattern(comparison, schema, path, written, read, out)
  }
  for (const [pattern, schema] of read.patterns) {
    if (!written.patterns.has(pattern)) compareAddedPattern(comparison, pattern, schema, written, read, out)
  }
}

/** Properties that matched the removed pattern now fall under the schema for other properties. */
function compareRemovedPattern(
  comparison: Comparison,
  schema: JsonSchema,
  path: string,
  written: ObjectTree,
  read: ObjectTree,
  out: Findings
): void {
  const result = comparison.within(written, schema, read, read.rest)
  const [before, after] = [typeName(written.home.of(schema)), typeName(read.home.of(read.rest))]
  if (result.breaks) out.add(RULES.pattern_properties_removed_uncovered, path, before, after)
  else {
    if (result.assumes) out.include(result, path)
    out.add(RULES.pattern_properties_removed, path, before)
  }
}

/** All that the writer may have put into properties that match. */
function compareAddedPattern(
  comparison: Comparison,
  pattern: string,
  schema: JsonSchema,
  written: ObjectTree,
  read: ObjectTree,
  out: Findings
): void {
  const named = [...written.properties]
    .filter(([name]) => comparison.matches(pattern, name) !== false)
    .map(([, each]) => each)
  const path = `/patternProperties/${escapeName(pattern)}`
  const results = [...named, ...written.patterns.values(), written.rest].map((each) =>
    comparison.within(written, each, read, schema)
  )
  const after = typeName(read.home.of(schema))
  if (results.some(({ breaks }) => breaks)) out.add(RULES.pattern_properties_added, path, undefined, after)
  else {
    for (const result of results) if (result.assumes) out.include(result, path)
    out.add(RULES.pattern_properties_added_covered, path, undefined, after)
  }
}

/** What has to be there, or to hold, where a property is there. */
function compareDependents(comparison: Comparison, written: ObjectTree, read: ObjectTree, out: Findings): void {
  // Taken from both sides, so that the path is the same with the sides swapped.
  const isOwn = written.hasOwnDependents || read.hasOwnDependents
  const [namesAt, schemasAt] = isOwn ? ['dependentRequired', 'dependentSchemas'] : ['dependencies', 'dependencies']
  for (const name of new Set([...written.dependentNames.keys(), ...read.dependentNames.keys()])) {
    const [before, after] = [written.dependentNames.get(name), read.dependentNames.get(name)]
    const fresh = [...(after ?? [])].filter((each) => !before?.has(each))
    const gone = [...(before ?? [])].filter((each) => !after?.has(each))
    const path = `/${namesAt}/${escapeName(name)}`
    if (fresh.length > 0) out.add(RULES.dependency_tightened, path, gone.length > 0 ? gone : undefined, fresh)
    else if (gone.length > 0) out.add(RULES.dependency_loosened, path, gone)
  }
  for (const name of new Set([...written.dependentSchemas.keys(), ...read.dependentSchemas.keys()])) {
    const [before, after] = [written.dependentSchemas.get(name), read.dependentSchemas.get(name)]
    const path = `/${schemasAt}/${escapeName(name)}`
    if (after === undefined) out.add(RULES.dependent_schema_removed, path)
    else if (before === undefined) {
      if (read.home.of(after).kind !== 'empty') out.add(RULES.dependent_schema_added, path)
    } else out.include(comparison.within(written, before, read, after), path)
  }
}
