import { shown } from './json-values.ts'
import { type NamedType, shortName } from './model.ts'
import { RULES } from './rules.ts'
import type { Walk } from './walk.ts'

export function compareNames(walk: Walk, written: NamedType, read: NamedType, path: string): void {
  if (written.name !== read.name) walk.add(renaming(written, read), `${path}/name`, written.name, read.name)
  compareDocs(walk, written, read, path)
  compareAliases(walk, written, read, path)
}

function renaming(written: NamedType, read: NamedType) {
  if (shortName(written.name) === shortName(read.name)) return RULES.namespace_changed
  return read.aliases.includes(written.name) ? RULES.name_changed_with_alias : RULES.name_changed
}

export function compareDocs(walk: Walk, written: { doc?: string }, read: { doc?: string }, path: string): void {
  if (written.doc !== read.doc) walk.add(RULES.doc_changed, `${path}/doc`, shown(written.doc), shown(read.doc))
}

interface Aliased {
  readonly aliases: readonly string[]
}

export function compareAliases(walk: Walk, written: Aliased, read: Aliased, path: string): void {
  const [before, after] = [written.aliases, read.aliases]
  if (before.length === after.length && before.every((alias, index) => alias === after[index])) return
  walk.add(RULES.aliases_changed, `${path}/aliases`, shown(before), shown(after))
}
