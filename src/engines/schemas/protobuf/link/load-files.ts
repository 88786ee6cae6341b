import { type Effort, MAX_DEPTH, MAX_TEXT_CHARS } from '../../effort.ts'
import { SchemaFault } from '../../fault.ts'
import type { Source } from '../../format.ts'
import { readSource } from '../descriptor/read-source.ts'
import type { FileNode, ImportNode } from '../syntax/nodes.ts'
import { SourceText } from '../syntax/source-text.ts'
import { wellKnownFile } from '../well-known/index.ts'

export interface LoadedFiles {
  readonly root: FileNode
  /** What is imported, at whatever distance, by its path; each after what it imports. */
  readonly imported: ReadonlyMap<string, FileNode>
}

/** The schema and what it imports. Dependencies that nothing imports are left alone. */
export function loadFiles(source: Source, effort: Effort): LoadedFiles {
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
  /** The imports that led to where the loader is. */
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
