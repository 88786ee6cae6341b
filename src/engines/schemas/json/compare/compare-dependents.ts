import { escapeName } from '../document-index.ts'
import { RULES } from '../rules.ts'
import type { ObjectTree } from '../tree.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'

/** What has to be there, or to hold, where a property is there. */
export function compareDependents(comparison: Comparison, written: ObjectTree, read: ObjectTree, out: Findings): void {
  // The same in both directions.
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
