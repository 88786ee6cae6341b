import type { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import { textOf } from './canonical.ts'
import { ignoresBesideRef } from './drafts.ts'
import { formOf } from './keywords.ts'
import { type Draft, isNode, type JsonModel, type JsonSchema, REFERENCE_KEYWORDS, type SchemaNode } from './model.ts'
import { arrayOf } from './translate-array.ts'
import { objectOf } from './translate-object.ts'
import { numberOf, stringOf } from './translate-scalar.ts'
import type { CombinedTree, Part, Tree } from './tree.ts'

const KINDS = ['array', 'object', 'number', 'string'] as const
type Kind = (typeof KINDS)[number]

const KIND_OF = new Map<string, Kind>()
const KEYWORDS: Readonly<Record<Kind, string>> = {
  array: 'items additionalItems prefixItems minItems maxItems uniqueItems contains unevaluatedItems',
  object:
    'properties required minProperties maxProperties dependencies dependentRequired dependentSchemas ' +
    'patternProperties additionalProperties propertyNames unevaluatedProperties',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  string: 'minLength maxLength pattern format contentEncoding contentMediaType contentSchema'
}
for (const kind of KINDS) for (const keyword of KEYWORDS[kind].split(' ')) KIND_OF.set(keyword, kind)

/** More references in a row than anybody writes. */
const MAX_CHAIN = 10_000

/** What a keyword of a node is set to, where its draft knows the keyword. */
export type Get = (keyword: string) => unknown

/** What translators of one kind of keywords are given. */
export interface Making {
  readonly id: number
  readonly home: Trees
}

/** Turns the schemas of one model into trees, each when it is first asked for. */
export class Trees {
  readonly #model: JsonModel
  readonly #effort: Effort
  readonly #ids: { next: number }
  readonly #known = new Map<SchemaNode, Tree>()
  #depth = 0

  constructor(model: JsonModel, effort: Effort, ids: { next: number }) {
    this.#model = model
    this.#effort = effort
    this.#ids = ids
  }

  of(schema: JsonSchema): Tree {
    let node = schema
    for (let i = 0; isNode(node) && i < MAX_CHAIN; i++) {
      const known = this.#known.get(node)
      if (known !== undefined) return known
      const target = this.#targetAlone(node)
      if (target === undefined) break
      node = target
    }
    if (!isNode(node)) return { ...this.#make(), kind: node ? 'empty' : 'false' }
    const tree = this.#translate(node)
    this.#known.set(node, tree)
    return tree
  }

  draftOf(node: SchemaNode): Draft {
    return this.#model.draftOf(node)
  }

  #make(): Making {
    this.#effort.spend()
    return { id: this.#ids.next++, home: this }
  }

  /** What a node refers to, where it says nothing else. */
  #targetAlone(node: SchemaNode): JsonSchema | undefined {
    const target = this.#model.target(node, '$ref')
    return target !== undefined && ignoresBesideRef(this.#model.draftOf(node)) ? target : undefined
  }

  #translate(node: SchemaNode): Tree {
    // Parts are translated at once, so they nest as deep as references in a row within `allOf` and such.
    if (++this.#depth > 300) throw new SchemaFault('too_complex', 'Schemas refer to each other in too long a chain')
    const draft = this.#model.draftOf(node)
    const known = new Map<string, unknown>()
    for (const name of Object.keys(node)) if (formOf(name, draft) !== undefined) known.set(name, node[name])
    const get: Get = (keyword) => known.get(keyword)
    const applied = this.#applied(node, get)
    const parts = [...this.#values(get), ...applied, ...this.#typed(known, get, draft, applied)]
    this.#depth--
    if (parts.length === 0) return { ...this.#make(), kind: 'empty', node }
    if (parts.length === 1) {
      const { tree } = parts[0] as Part
      // A part that is a schema of its own keeps its title.
      return tree.node === undefined ? { ...tree, node } : tree
    }
    return { ...this.#make(), kind: 'combined', criterion: 'allOf', parts, path: '', node }
  }

  #values(get: Get): Part[] {
    const found: Part[] = []
    const [values, value] = [get('enum'), get('const')]
    for (const [list, isConst] of [
      [values, false],
      [value === undefined ? undefined : [value], true]
    ] as const) {
      if (!Array.isArray(list)) continue
      const byText = new Map(list.map((each) => [textOf(each), each]))
      found.push({ tree: { ...this.#make(), kind: 'enum', isConst, values: byText }, path: '' })
    }
    return found
  }

  /** References and keywords with schemas about the same value. */
  #applied(node: SchemaNode, get: Get): Part[] {
    const found: Part[] = []
    for (const keyword of REFERENCE_KEYWORDS) {
      const target = this.#model.target(node, keyword)
      if (target !== undefined) found.push({ tree: this.of(target), path: '' })
    }
    for (const criterion of ['allOf', 'anyOf', 'oneOf'] as const) {
      const list = get(criterion)
      if (Array.isArray(list)) found.push({ tree: this.#combined(criterion, list), path: '' })
    }
    const not = get('not')
    if (not !== undefined) found.push({ tree: { ...this.#make(), kind: 'not', schema: not as JsonSchema }, path: '' })
    const [condition, yes, no] = [get('if'), get('then'), get('else')] as (JsonSchema | undefined)[]
    if (condition !== undefined && (yes !== undefined || no !== undefined)) {
      const branches = { condition, yes: yes ?? true, no: no ?? true }
      found.push({ tree: { ...this.#make(), kind: 'conditional', ...branches }, path: '' })
    }
    return found
  }

  #combined(criterion: CombinedTree['criterion'], list: readonly unknown[]): CombinedTree {
    const seen = new Set<string>()
    const parts: Part[] = []
    for (const [i, schema] of list.entries()) {
      // The same alternative twice is one, but for `oneOf`, which counts.
      const text = textOf(schema)
      if (seen.has(text) && criterion !== 'oneOf') continue
      parts.push({ tree: this.of(schema as JsonSchema), path: `/${criterion}/${i}`, text })
      seen.add(text)
    }
    return { ...this.#make(), kind: 'combined', criterion, parts, path: `/${criterion}` }
  }

  #typed(known: ReadonlyMap<string, unknown>, get: Get, draft: Draft, applied: readonly Part[]): Part[] {
    const type = get('type') as string | string[] | undefined
    const types = type === undefined ? [] : Array.isArray(type) ? type : [type]
    const beside = applied.length === 0 ? undefined : this.#beside(applied)
    const parts = types.map((name): Part => ({ tree: this.#ofType(name, true, get, draft, beside), path: '' }))
    const found: Part[] = Array.isArray(type)
      ? [{ tree: { ...this.#make(), kind: 'combined', criterion: 'anyOf', parts, path: '/type' }, path: '' }]
      : parts
    const kinds = new Set<Kind | undefined>()
    for (const keyword of known.keys()) kinds.add(KIND_OF.get(keyword))
    for (const kind of KINDS) {
      const isCovered = types.includes(kind) || (kind === 'number' && types.includes('integer'))
      if (isCovered || !kinds.has(kind)) continue
      found.push({ tree: this.#ofType(kind, false, get, draft, beside), path: '' })
    }
    return found
  }

  #beside(applied: readonly Part[]): Tree {
    return { ...this.#make(), kind: 'combined', criterion: 'allOf', parts: applied, path: '' }
  }

  #ofType(name: string, isTyped: boolean, get: Get, draft: Draft, beside: Tree | undefined): Tree {
    const making = this.#make()
    switch (name) {
      case 'string':
        return stringOf(making, isTyped, get)
      case 'integer':
      case 'number':
        return numberOf(making, isTyped, name === 'integer', get, draft)
      case 'array':
        return arrayOf(making, isTyped, get, draft, beside)
      case 'object':
        return objectOf(making, isTyped, get, beside)
      default:
        return { ...making, kind: name === 'boolean' ? 'boolean' : 'null' }
    }
  }
}
