import type { Effort } from '../../effort.ts'
import type { FileNode } from '../syntax/nodes.ts'
import type { Scope } from './scopes.ts'

/** Finds the types that the names in one file mean: first within, then further and further out. */
export class Resolver {
  readonly #root: Scope
  readonly #file: FileNode
  readonly #visible: ReadonlySet<FileNode>
  readonly #effort: Effort

  constructor(root: Scope, file: FileNode, visible: ReadonlySet<FileNode>, effort: Effort) {
    this.#root = root
    this.#file = file
    this.#visible = visible
    this.#effort = effort
  }

  resolve(name: string, from: Scope, at: number): Scope {
    const found = this.#find(name, from, (scope) => this.#visible.has(scope.file as FileNode))
    if (found !== undefined) return found
    const hidden = this.#find(name, from, () => true)?.file?.source.dependency
    const why =
      hidden === undefined ? 'is not declared; declare it or import its file' : `is in "${hidden}"; import that`
    throw this.#file.source.fault(`The type ${name} ${why}`, at)
  }

  #find(name: string, from: Scope, isVisible: (scope: Scope) => boolean): Scope | undefined {
    const isAbsolute = name.startsWith('.')
    const parts = (isAbsolute ? name.slice(1) : name).split('.')
    for (let scope: Scope | undefined = isAbsolute ? this.#root : from; scope !== undefined; scope = scope.parent) {
      this.#effort.spend()
      let found: Scope | undefined = scope
      for (const part of parts) found = found?.members.get(part)
      if (found !== undefined && (found.kind === 'message' || found.kind === 'enum') && isVisible(found)) return found
    }
    return undefined
  }
}

/** What a file may name: its own, what it imports, and what those import publicly. */
export function visibleFrom(file: FileNode, imported: ReadonlyMap<string, FileNode>): ReadonlySet<FileNode> {
  const visible = new Set([file])
  const left = file.imports.map(({ path }) => path)
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const next = imported.get(path)
    if (next === undefined || visible.has(next)) continue
    visible.add(next)
    for (const further of next.imports) if (further.modifier === 'public') left.push(further.path)
  }
  return visible
}
