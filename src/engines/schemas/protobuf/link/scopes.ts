import type { Effort, SchemaFault } from '../../fault.ts'
import type { EnumModel, MessageModel, Option, Range } from '../model.ts'
import type { EnumNode, FileNode, MessageNode, NameNode, OptionNode, RangeNode } from '../syntax/nodes.ts'

/** What is known while the nodes of a file are turned into its model. */
export interface Context {
  readonly file: FileNode
  readonly scopes: Scopes
  readonly resolver: Resolver
  readonly effort: Effort
  /** Where the finished types of all files go. */
  readonly types: Map<string, MessageModel | EnumModel>
  /** The extensions there are, by message and number. */
  readonly extensions: Map<string, string>
  /** Messages of all files, for those who extend them. */
  readonly extendable: ReadonlyMap<string, readonly Range[]>
}

export function scopeOf(context: Context, node: Parameters<Scopes['get']>[0]): Scope {
  return context.scopes.get(node) as Scope
}

export function fault(context: Context, message: string, at: number): SchemaFault {
  return context.file.source.fault(message, at)
}

export function localNameOf(context: Context, fullName: string): string {
  const { packageName } = context.file
  return packageName === '' ? fullName : fullName.slice(packageName.length + 1)
}

/** Sorts options by name. Options of one name are a list, so they keep their order. */
export function optionsOf(nodes: readonly OptionNode[]): readonly Option[] {
  if (nodes.length === 0) return NO_OPTIONS
  return nodes.map(({ name, value }) => ({ name, value })).sort((a, b) => compareText(a.name, b.name))
}
const NO_OPTIONS: readonly Option[] = []

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The plain or text value of an option of this name. */
export function plainOption(nodes: readonly OptionNode[], name: string): string | undefined {
  const value = nodes.find((option) => option.name === name)?.value
  return value?.kind === 'plain' || value?.kind === 'string' ? value.value : undefined
}

export function refuseTwice(context: Context, nodes: readonly OptionNode[], names: readonly string[]): void {
  if (nodes.length < 2) return
  for (const name of names) {
    const second = nodes.filter((option) => option.name === name)[1]
    if (second !== undefined) throw fault(context, `The option ${name} is there twice; leave one`, second.at)
  }
}

/** Sorts ranges, and joins those that touch or overlap. */
export function mergeRanges(nodes: readonly RangeNode[]): readonly Range[] {
  const ranges: { from: number; to: number }[] = []
  for (const { from, to } of [...nodes].sort((a, b) => a.from - b.from)) {
    const last = ranges.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else ranges.push({ from, to })
  }
  return ranges
}

/** Sorts and joins ranges, and refuses those that overlap. */
export function rangesOf(context: Context, nodes: readonly RangeNode[]): readonly Range[] {
  let last = Number.NEGATIVE_INFINITY
  for (const { from, to, at } of [...nodes].sort((one, other) => one.from - other.from)) {
    if (from <= last) throw fault(context, `The number ${from} is in two ranges; leave one`, at)
    last = to
  }
  return mergeRanges(nodes)
}

export function isIn(ranges: readonly Range[], number: number): boolean {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = ranges[middle] as Range
    if (number < range.from) high = middle - 1
    else if (number > range.to) low = middle + 1
    else return true
  }
  return false
}

export function reservedNamesOf(context: Context, nodes: readonly NameNode[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { name, at } of nodes) {
    if (names.has(name)) throw fault(context, `The name ${name} is reserved twice; leave one`, at)
    names.add(name)
  }
  return names
}

/** The scopes of all messages and enums, found by what declares them. */
export type Scopes = Map<MessageNode | EnumNode | FileNode, Scope>

/** Declares every name of a file in its scope, and refuses names that are declared twice. */
export function declareFile(root: Scope, file: FileNode, scopes: Scopes): void {
  const scope = openPackage(root, file)
  scopes.set(file, scope)
  declareTypes(scope, file, file, scopes)
  for (const service of file.services) {
    const ofService = declare(scope, 'message', service.name, file, service.at)
    for (const method of service.methods) occupy(ofService, method.name, file, method.at)
  }
}

type Types = Pick<MessageNode, 'messages' | 'enums' | 'extensions'>

function declareTypes(scope: Scope, types: Types, file: FileNode, scopes: Scopes): void {
  for (const message of types.messages) declareMessage(scope, message, file, scopes)
  for (const enumeration of types.enums) declareEnum(scope, enumeration, file, scopes)
  for (const { field } of types.extensions) occupy(scope, field.name, file, field.at)
}

function declareMessage(parent: Scope, message: MessageNode, file: FileNode, scopes: Scopes): void {
  const scope = declare(parent, 'message', message.name, file, message.at)
  scopes.set(message, scope)
  for (const field of message.fields) {
    occupy(scope, field.name, file, field.at)
    if (field.type.kind === 'map') occupy(scope, entryName(field.name), file, field.at)
  }
  for (const oneof of message.oneofs) occupy(scope, oneof.name, file, oneof.at)
  declareTypes(scope, message, file, scopes)
}

/** Declares an enum, and its values beside it: in Protobuf they are names of the enclosing scope. */
function declareEnum(parent: Scope, enumeration: EnumNode, file: FileNode, scopes: Scopes): void {
  scopes.set(enumeration, declare(parent, 'enum', enumeration.name, file, enumeration.at))
  for (const value of enumeration.values) occupy(parent, value.name, file, value.at)
}

/** On the wire a map is a list of messages, which have a name: `PriceByDayEntry`. */
export function entryName(field: string): string {
  const camel = field.replace(/(?:^|_)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase()).replaceAll('_', '')
  return `${camel}Entry`
}

/** Something that has a name, and the names within it. */
export interface Scope {
  readonly kind: 'package' | 'message' | 'enum' | 'other'
  readonly name: string
  readonly fullName: string
  readonly parent: Scope | undefined
  /** Undefined for packages, which many files share. */
  readonly file: FileNode | undefined
  readonly members: Map<string, Scope>
}

/** Full names are kept for every type; long ones in large numbers would fill the memory. */
const MAX_FULL_NAME_CHARS = 2_000
const NO_MEMBERS: Map<string, Scope> = new Map()

export function makeRoot(): Scope {
  return { kind: 'package', name: '', fullName: '', parent: undefined, file: undefined, members: new Map() }
}

export function openPackage(root: Scope, file: FileNode): Scope {
  let scope = root
  for (const name of file.packageName === '' ? [] : file.packageName.split('.')) {
    const known = scope.members.get(name)
    if (known !== undefined && known.kind !== 'package') {
      throw file.source.fault(`${known.fullName} is the name of a ${known.kind} already`, file.packageAt)
    }
    const fullName = fullNameOf(scope, name)
    const next: Scope = known ?? { kind: 'package', name, fullName, parent: scope, file: undefined, members: new Map() }
    scope.members.set(name, next)
    scope = next
  }
  return scope
}

/** Takes over what another tree of names has for the same package. */
export function adopt(into: Scope, from: Scope, file: FileNode): void {
  for (const [name, scope] of from.members) {
    if (scope.file !== file) continue
    if (into.members.has(name)) throw nameTaken(into.members.get(name) as Scope, scope.fullName, file, -1)
    into.members.set(name, scope)
  }
}

function declare(parent: Scope, kind: 'message' | 'enum', name: string, file: FileNode, at: number): Scope {
  const fullName = fullNameOf(parent, name)
  const known = parent.members.get(name)
  if (known !== undefined) throw nameTaken(known, fullName, file, at)
  if (fullName.length > MAX_FULL_NAME_CHARS) {
    throw file.source.fault(
      `A full name has more than ${MAX_FULL_NAME_CHARS} characters; shorten it`,
      at,
      'too_complex'
    )
  }
  const scope: Scope = { kind, name, fullName, parent, file, members: new Map() }
  parent.members.set(name, scope)
  return scope
}

/** Takes a name for what is no type: a field, a value, a method. There are many, and nobody asks for their full names. */
function occupy(parent: Scope, name: string, file: FileNode, at: number): void {
  const known = parent.members.get(name)
  if (known !== undefined) throw nameTaken(known, fullNameOf(parent, name), file, at)
  parent.members.set(name, { kind: 'other', name, fullName: name, parent, file, members: NO_MEMBERS })
}

function fullNameOf(parent: Scope, name: string): string {
  return parent.fullName === '' ? name : `${parent.fullName}.${name}`
}

function nameTaken(known: Scope, fullName: string, file: FileNode, at: number): SchemaFault {
  const elsewhere = known.file?.source.dependency
  const where = known.file !== file && elsewhere !== undefined ? ` in "${elsewhere}"` : ''
  return file.source.fault(`The name ${fullName} is taken already${where}; choose another`, at)
}

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
