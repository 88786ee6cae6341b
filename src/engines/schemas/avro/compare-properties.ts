import { jsonText, pointerToken, shown } from './json-values.ts'
import { isLogicalAttribute, logicalText } from './logical.ts'
import type { BranchType, Json, Logical } from './model.ts'
import { RULES } from './rules.ts'
import type { Walk } from './walk.ts'

export function compareLogical(walk: Walk, written: BranchType, read: BranchType, path: string): void {
  const [before, after] = [written.logical && logicalText(written.logical), read.logical && logicalText(read.logical)]
  if (before !== after) walk.add(RULES.logical_type_changed, `${path}/logicalType`, before, after)
}

interface Annotated {
  readonly properties: ReadonlyMap<string, Json>
  readonly logical?: Logical
}

export function compareProperties(walk: Walk, written: Annotated, read: Annotated, path: string): void {
  if (written.properties.size === 0 && read.properties.size === 0) return
  const names = new Set([...written.properties.keys(), ...read.properties.keys()])
  for (const name of [...names].sort()) {
    walk.effort.spend()
    const [before, after] = [plainProperty(written, name), plainProperty(read, name)]
    if (before === undefined && after === undefined) continue
    if (before !== undefined && after !== undefined && jsonText(before) === jsonText(after)) continue
    walk.add(RULES.property_changed, `${path}/${pointerToken(name)}`, shown(before), shown(after))
  }
}

function plainProperty({ properties, logical }: Annotated, name: string): Json | undefined {
  return isLogicalAttribute(logical, name) ? undefined : properties.get(name)
}
