import { type Effort, MAX_DEPTH, MAX_TEXT_CHARS, SchemaFault } from '../fault.ts'
import type { Parsed, Source } from '../format.ts'
import { readJson as readText } from '../json-text.ts'
import { DocumentIndex, type Resource } from './document.ts'
import { draftOf, USUAL_DRAFT } from './drafts.ts'
import { isNode, type JsonModel, type JsonSchema, type ReferenceKeyword, type SchemaNode } from './model.ts'
import { References, refuseCircles, type Targets } from './references.ts'

export function parse(source: Source, effort: Effort): Parsed<JsonModel> {
  const chars = source.dependencies.reduce((sum, { text }) => sum + text.length, source.text.length)
  if (chars > MAX_TEXT_CHARS) {
    const message = `The schema and what it refers to have more than ${MAX_TEXT_CHARS} characters; divide it`
    throw new SchemaFault('too_complex', message)
  }
  const document = readJson(source.text, undefined, effort)
  const draft = draftOf(document) ?? USUAL_DRAFT
  const index = new DocumentIndex(effort)
  const byName = new Map<string, Resource>()
  const dependencies = new Map<string, JsonSchema>()
  for (const { name, text } of source.dependencies) {
    if (dependencies.has(name)) continue
    const schema = readJson(text, name, effort)
    byName.set(name, index.addDocument(schema, draftOf(schema, '', name) ?? draft, name, name))
    dependencies.set(name, schema as JsonSchema)
  }
  const root = index.addDocument(document, draft, undefined)
  // Where the schema has an address the root is what stands under it.
  const own = index.resources.get(root.uri) ?? root
  const targets = new References(index, own, byName).resolveAll()
  refuseCircles(index, targets, effort)
  const model = new Model(document as JsonSchema, own, dependencies, index, targets)
  return {
    model,
    get canonical() {
      return canonicalOf(document, source.text)
    }
  }
}

class Model implements JsonModel {
  readonly draft
  readonly document: JsonSchema
  readonly dependencies: ReadonlyMap<string, JsonSchema>
  readonly #index: DocumentIndex
  readonly #targets: Targets

  constructor(
    document: JsonSchema,
    root: Resource,
    dependencies: ReadonlyMap<string, JsonSchema>,
    index: DocumentIndex,
    targets: Targets
  ) {
    this.draft = root.draft
    this.document = document
    this.dependencies = dependencies
    this.#index = index
    this.#targets = targets
  }

  target(node: SchemaNode, keyword: ReferenceKeyword = '$ref'): JsonSchema | undefined {
    return this.#targets.get(node)?.[keyword]
  }

  placeOf(node: SchemaNode): { readonly pointer: string; readonly dependency: string | undefined } {
    const located = this.#index.located.get(node)
    return { pointer: located?.pointer ?? '', dependency: located?.resource.dependency }
  }

  draftOf(node: SchemaNode) {
    return this.#index.located.get(node)?.resource.draft ?? this.draft
  }
}

/** The value that a text stands for, no deeper than can be walked. */
function readJson(text: string, dependency: string | undefined, effort: Effort): unknown {
  effort.spend(1 + (text.length >> 6))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // `JSON.parse` failed. Our own reader is slower, but says where the error is.
    readText(text, effort, dependency)
    throw new SchemaFault('invalid', 'The schema is not JSON', { dependency })
  }
  checkDepth(value, dependency)
  return value
}

function checkDepth(root: unknown, dependency: string | undefined): void {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      throw new SchemaFault('too_complex', `The schema is nested more than ${MAX_DEPTH} deep; nest it less`, {
        dependency
      })
    }
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw new SchemaFault('invalid', 'The schema has a number that is too large; write a smaller one', {
          dependency
        })
      }
      if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) next.push(inner)
    }
    level = next
  }
}

/** Keywords whose lists have no order. */
const SETS = new Set(['required', 'type'])
const MAPS_OF_SETS = new Set(['dependentRequired', 'dependencies'])
/** Below these are values of people's data, not keywords. */
const DATA = new Set(['default', 'const', 'enum', 'examples'])
/** Digits that a number may lose when it is read. */
const LONG_NUMBER = /\d[\d.]{15}/

/**
 * A schema's text without formatting and order. Numbers of more digits than a number holds stay as they were written:
 * two schemas that differ in the twentieth digit are two.
 */
function canonicalOf(document: unknown, text: string): string {
  if (!LONG_NUMBER.test(text)) return write(document, undefined)
  return write(JSON.parse(text, keepDigits), undefined)
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value
  return source.replace(/[^\d]/g, '').length > 15 ? new LongNumber(source) : value
}

class LongNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** Any JSON value as text, with names in order. */
export function textOf(value: unknown): string {
  return write(value, undefined, true)
}

function write(value: unknown, keyword: string | undefined, isData = false): string {
  if (value instanceof LongNumber) return value.source
  if (Array.isArray(value)) {
    const texts = value.map((each) => write(each, undefined, isData))
    return `[${(keyword !== undefined && SETS.has(keyword) ? texts.sort() : texts).join(',')}]`
  }
  if (!isNode(value)) return JSON.stringify(value)
  const isMapOfSets = keyword !== undefined && MAPS_OF_SETS.has(keyword)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${writeMember(name, value[name], isMapOfSets, isData)}`)
  return `{${members.join(',')}}`
}

function writeMember(name: string, value: unknown, isSet: boolean, isData: boolean): string {
  if (isData || DATA.has(name)) return write(value, undefined, true)
  if (name === '$schema' && typeof value === 'string') return JSON.stringify(value.replace(/#$/, ''))
  return write(value, isSet && Array.isArray(value) ? 'required' : name)
}
