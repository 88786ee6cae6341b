import { shown } from './json-values.ts'
import { type NamedType, shortName } from './model.ts'
import { aliasesChanged } from './rules/aliases-changed.ts'
import { docChanged } from './rules/doc-changed.ts'
import { nameChanged } from './rules/name-changed.ts'
import { nameChangedWithAlias } from './rules/name-changed-with-alias.ts'
import { namespaceChanged } from './rules/namespace-changed.ts'
import type { Walk } from './walk.ts'

export function compareNames(walk: Walk, written: NamedType, read: NamedType, path: string): void {
  if (written.name !== read.name) walk.add(renaming(written, read), `${path}/name`, written.name, read.name)
  compareDocs(walk, written, read, path)
  compareAliases(walk, written, read, path)
}

function renaming(written: NamedType, read: NamedType) {
  if (shortName(written.name) === shortName(read.name)) return namespaceChanged
  return read.aliases.includes(written.name) ? nameChangedWithAlias : nameChanged
}

export function compareDocs(walk: Walk, written: { doc?: string }, read: { doc?: string }, path: string): void {
  if (written.doc !== read.doc) walk.add(docChanged, `${path}/doc`, shown(written.doc), shown(read.doc))
}

interface Aliased {
  readonly aliases: readonly string[]
}

export function compareAliases(walk: Walk, written: Aliased, read: Aliased, path: string): void {
  const [before, after] = [written.aliases, read.aliases]
  if (before.length === after.length && before.every((alias, index) => alias === after[index])) return
  walk.add(aliasesChanged, `${path}/aliases`, shown(before), shown(after))
}
