import { escapeName } from '../document-index.ts'
import type { JsonSchema } from '../model.ts'
import { RULES } from '../rules.ts'
import { type ObjectTree, typeName } from '../tree.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'

/** Patterns are the same where their texts are; which names two of them share nobody can say. */
export function comparePatterns(comparison: Comparison, written: ObjectTree, read: ObjectTree, out: Findings): void {
  for (const [pattern, schema] of written.patterns) {
    const path = `/patternProperties/${escapeName(pattern)}`
    const after = read.patterns.get(pattern)
    if (after !== undefined) out.include(comparison.within(written, schema, read, after), path)
    else compareRemoved(comparison, schema, path, written, read, out)
  }
  for (const [pattern, schema] of read.patterns) {
    if (!written.patterns.has(pattern)) compareAdded(comparison, pattern, schema, written, read, out)
  }
}

/** Whatever property matched it is now one of the others. */
function compareRemoved(
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
function compareAdded(
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
