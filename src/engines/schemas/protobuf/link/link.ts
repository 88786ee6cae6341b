import { Effort, MAX_DEPTH, MAX_TEXT_CHARS, SchemaFault } from '../../fault.ts'
import type { Parsed, Source } from '../../format.ts'
import { printFile } from '../canonical.ts'
import { readSource } from '../descriptor/descriptor.ts'
import type { EnumModel, FileModel, MessageModel, MethodModel, ProtobufModel, Range, ServiceModel } from '../model.ts'
import { SourceText } from '../syntax/cursor.ts'
import type { FileNode, ImportNode, MessageNode, MethodNode, ServiceNode } from '../syntax/nodes.ts'
import { isWellKnown, wellKnownFile } from '../well-known.ts'
import { DEFAULTS, featuresOf } from './build-field.ts'
import { buildEnum, buildExtension, buildMessage } from './build-message.ts'
import {
  adopt,
  type Context,
  declareFile,
  fault,
  makeRoot,
  mergeRanges,
  openPackage,
  optionsOf,
  Resolver,
  type Scope,
  type Scopes,
  scopeOf,
  visibleFrom
} from './scopes.ts'

export function parse(source: Source, effort: Effort): Parsed<ProtobufModel> {
  const model = link(loadFiles(source, effort), effort)
  return {
    model,
    get canonical() {
      return printFile(model.file)
    }
  }
}

type Types = Map<string, MessageModel | EnumModel>
type Extendable = Map<string, readonly Range[]>

/** Puts names and files together and checks what concerns more than one place. */
function link({ root, imported }: LoadedFiles, effort: Effort): ProtobufModel {
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
/** Has at most one entry for each well-known file. */
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

interface LoadedFiles {
  readonly root: FileNode
  /** What is imported, at whatever distance, by its path; each after what it imports. */
  readonly imported: ReadonlyMap<string, FileNode>
}

/** The schema and what it imports. Dependencies that nothing imports are left alone. */
function loadFiles(source: Source, effort: Effort): LoadedFiles {
  let chars = source.text.length
  for (const { text } of source.dependencies) chars += text.length
  if (chars > MAX_TEXT_CHARS) {
    const message = `The schema and what it imports have ${chars} characters, more than ${MAX_TEXT_CHARS}; divide it`
    throw new SchemaFault('too_complex', message)
  }
  const root = readSource(new SourceText(source.text), effort)
  return { root, imported: new Loader(source, effort).load(root) }
}

class Loader {
  readonly #texts: ReadonlyMap<string, string>
  readonly #effort: Effort
  readonly #loaded = new Map<string, FileNode>()
  /** The chain of imports from the schema to the current file. */
  readonly #way: string[] = []

  constructor(source: Source, effort: Effort) {
    this.#texts = new Map(source.dependencies.map(({ name, text }) => [name, text]))
    this.#effort = effort
  }

  load(file: FileNode): ReadonlyMap<string, FileNode> {
    const seen = new Set<string>()
    for (const imported of file.imports) {
      if (seen.has(imported.path))
        throw file.source.fault(`"${imported.path}" is imported twice; leave one`, imported.at)
      seen.add(imported.path)
      this.#follow(file, imported)
    }
    return this.#loaded
  }

  #follow(from: FileNode, { path, at, modifier }: ImportNode): void {
    if (this.#loaded.has(path)) return
    const circle = this.#way.indexOf(path)
    if (circle !== -1) {
      const names = [...this.#way.slice(circle, circle + 10), path].map((name) => `"${name}"`)
      throw from.source.fault(`Files import each other in a circle: ${names.join(' imports ')}`, at)
    }
    if (this.#way.length >= MAX_DEPTH) {
      throw from.source.fault(`Imports lead more than ${MAX_DEPTH} files far; import less`, at, 'too_complex')
    }
    const file = this.#read(path)
    // Weak imports and those for options alone may be missing, by their meaning.
    if (file === undefined && (modifier === 'weak' || modifier === 'option')) return
    if (file === undefined) {
      const message = `"${path}" is imported but not among the references; add a reference with this name`
      throw from.source.fault(message, at, 'missing_reference')
    }
    this.#way.push(path)
    this.load(file)
    this.#way.pop()
    this.#loaded.set(path, file)
  }

  #read(path: string): FileNode | undefined {
    const text = this.#texts.get(path)
    return text === undefined ? wellKnownFile(path) : readSource(new SourceText(text, path), this.#effort)
  }
}

function buildFile(context: Context): FileModel {
  const { file } = context
  const features = featuresOf(DEFAULTS[file.syntax], file.options)
  const scope = scopeOf(context, file)
  return {
    syntax: file.syntax,
    packageName: file.packageName,
    imports: file.imports.map(({ path, modifier }) => ({ path, modifier })),
    options: optionsOf(file.options),
    messages: file.messages.map((message) => buildMessage(context, message, features)),
    enums: file.enums.map((enumeration) => buildEnum(context, enumeration, features)),
    services: file.services.map((service) => buildService(context, service)),
    extensions: file.extensions.map((extension) => buildExtension(context, extension, scope, features))
  }
}

function buildService(context: Context, { name, methods, options }: ServiceNode): ServiceModel {
  return { name, methods: methods.map((method) => buildMethod(context, method)), options: optionsOf(options) }
}

function buildMethod(context: Context, { name, input, output, options }: MethodNode): MethodModel {
  const [takes, gives] = [input, output].map(({ name: type, at }) => {
    const found = context.resolver.resolve(type, scopeOf(context, context.file), at)
    if (found.kind !== 'message') throw fault(context, `${type} is not a message`, at)
    return found.fullName
  }) as [string, string]
  return {
    name,
    input: takes,
    output: gives,
    isInputStream: input.isStream,
    isOutputStream: output.isStream,
    options: optionsOf(options)
  }
}
