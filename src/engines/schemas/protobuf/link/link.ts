import { Effort } from '../../effort.ts'
import type { EnumModel, FileModel, MessageModel, ProtobufModel, Range } from '../model.ts'
import type { FileNode, MessageNode } from '../syntax/nodes.ts'
import { isWellKnown, wellKnownFile } from '../well-known/index.ts'
import { buildFile } from './build-file.ts'
import { mergeRanges } from './context.ts'
import { declareFile, type Scopes } from './declarations.ts'
import type { LoadedFiles } from './load-files.ts'
import { Resolver, visibleFrom } from './resolver.ts'
import { adopt, makeRoot, openPackage, type Scope } from './scopes.ts'

type Types = Map<string, MessageModel | EnumModel>
type Extendable = Map<string, readonly Range[]>

/** Puts names and files together and checks what concerns more than one place. */
export function link({ root, imported }: LoadedFiles, effort: Effort): ProtobufModel {
  const { file, types } = new Linker(imported, effort).link(root)
  return { file, types }
}

interface Linked {
  readonly file: FileModel
  readonly scope: Scope
  readonly types: Types
  readonly extendable: Extendable
}

class Linker {
  readonly #imported: ReadonlyMap<string, FileNode>
  readonly #effort: Effort
  readonly #names = makeRoot()
  readonly #scopes: Scopes = new Map()
  readonly #types: Types = new Map()
  readonly #extendable: Extendable = new Map()
  readonly #extensions = new Map<string, string>()

  constructor(imported: ReadonlyMap<string, FileNode>, effort: Effort) {
    this.#imported = imported
    this.#effort = effort
  }

  /** Files come after what they import, so that all their names are known. */
  link(root: FileNode): Linked {
    for (const file of this.#imported.values()) {
      if (isWellKnown(file)) this.#adopt(file)
      else this.#add(file)
    }
    const file = this.#add(root)
    return { file, scope: this.#scopes.get(root) as Scope, types: this.#types, extendable: this.#extendable }
  }

  #add(file: FileNode): FileModel {
    declareFile(this.#names, file, this.#scopes)
    collectExtendable(file.messages, this.#scopes, this.#extendable)
    const resolver = new Resolver(this.#names, file, visibleFrom(file, this.#imported), this.#effort)
    return buildFile({
      file,
      resolver,
      scopes: this.#scopes,
      types: this.#types,
      extendable: this.#extendable,
      extensions: this.#extensions,
      effort: this.#effort
    })
  }

  #adopt(file: FileNode): void {
    const { scope, types, extendable } = linkWellKnown(file)
    adopt(openPackage(this.#names, file), scope, file)
    for (const [name, type] of types) this.#types.set(name, type)
    for (const [name, ranges] of extendable) this.#extendable.set(name, ranges)
  }
}

function collectExtendable(messages: readonly MessageNode[], scopes: Scopes, into: Extendable): void {
  for (const message of messages) {
    into.set(scopes.get(message)?.fullName as string, mergeRanges(message.extensionRanges))
    collectExtendable(message.messages, scopes, into)
  }
}

const EFFORT = 100_000
/** Never more than there are well-known files. */
const linked = new WeakMap<FileNode, Linked>()

/** Descriptors are long, and imported by everybody who has options of their own: they are linked once. */
function linkWellKnown(file: FileNode): Linked {
  const known = linked.get(file)
  if (known !== undefined) return known
  const imported = new Map<string, FileNode>()
  collectImports(file, imported)
  const result = new Linker(imported, new Effort(EFFORT)).link(file)
  linked.set(file, result)
  return result
}

function collectImports(file: FileNode, into: Map<string, FileNode>): void {
  for (const { path } of file.imports) {
    const next = wellKnownFile(path)
    if (next === undefined || into.has(path)) continue
    collectImports(next, into)
    into.set(path, next)
  }
}
