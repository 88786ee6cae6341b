import { type Effort, MAX_TEXT_CHARS } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import type { Parsed, Source } from '../format.ts'
import { canonicalOf } from './canonical.ts'
import { refuseCircles } from './circles.ts'
import { DocumentIndex, type Resource } from './document-index.ts'
import { draftOf, USUAL_DRAFT } from './drafts.ts'
import type { JsonModel, JsonSchema, ReferenceKeyword, SchemaNode } from './model.ts'
import { readJson } from './read-json.ts'
import { References, type Targets } from './references.ts'

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
