import { type Effort, SchemaFault } from '../fault.ts'
import { boundOf, formOf, type Get, ignoresBesideRef, itemsOf } from './drafts.ts'
import { type Draft, isNode, type JsonModel, type JsonSchema, REFERENCE_KEYWORDS, type SchemaNode } from './model.ts'
import { textOf } from './parse.ts'
import type { ArrayTree, CombinedTree, NumberTree, ObjectTree, Part, StringTree, Tree, TreeBase } from './tree.ts'

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

/** Chains of references are followed no further. */
const MAX_CHAIN = 10_000

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
    if (!isNode(node)) return { ...this.#base(), kind: node ? 'empty' : 'false' }
    const tree = this.#translate(node)
    this.#known.set(node, tree)
    return tree
  }

  draftOf(node: SchemaNode): Draft {
    return this.#model.draftOf(node)
  }

  #base(): TreeBase {
    this.#effort.spend()
    return { id: this.#ids.next++, home: this }
  }

  /** The target of a node that is only a reference: in older drafts keywords beside `$ref` mean nothing. */
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
    if (parts.length === 0) return { ...this.#base(), kind: 'empty', node }
    if (parts.length === 1) {
      const { tree } = parts[0] as Part
      // A part that is a schema of its own keeps its title.
      return tree.node === undefined ? { ...tree, node } : tree
    }
    return { ...this.#base(), kind: 'combined', criterion: 'allOf', parts, path: '', node }
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
      found.push({ tree: { ...this.#base(), kind: 'enum', isConst, values: byText }, path: '' })
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
    if (not !== undefined) found.push({ tree: { ...this.#base(), kind: 'not', schema: not as JsonSchema }, path: '' })
    const [condition, yes, no] = [get('if'), get('then'), get('else')] as (JsonSchema | undefined)[]
    if (condition !== undefined && (yes !== undefined || no !== undefined)) {
      const branches = { condition, yes: yes ?? true, no: no ?? true }
      found.push({ tree: { ...this.#base(), kind: 'conditional', ...branches }, path: '' })
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
    return { ...this.#base(), kind: 'combined', criterion, parts, path: `/${criterion}` }
  }

  #typed(known: ReadonlyMap<string, unknown>, get: Get, draft: Draft, applied: readonly Part[]): Part[] {
    const type = get('type') as string | string[] | undefined
    const types = type === undefined ? [] : Array.isArray(type) ? type : [type]
    const beside = applied.length === 0 ? undefined : this.#beside(applied)
    const parts = types.map((name): Part => ({ tree: this.#ofType(name, true, get, draft, beside), path: '' }))
    const found: Part[] = Array.isArray(type)
      ? [{ tree: { ...this.#base(), kind: 'combined', criterion: 'anyOf', parts, path: '/type' }, path: '' }]
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
    return { ...this.#base(), kind: 'combined', criterion: 'allOf', parts: applied, path: '' }
  }

  #ofType(name: string, isTyped: boolean, get: Get, draft: Draft, beside: Tree | undefined): Tree {
    const base = this.#base()
    switch (name) {
      case 'string':
        return stringOf(base, isTyped, get)
      case 'integer':
      case 'number':
        return numberOf(base, isTyped, name === 'integer', get, draft)
      case 'array':
        return arrayOf(base, isTyped, get, draft, beside)
      case 'object':
        return objectOf(base, isTyped, get, beside)
      default:
        return { ...base, kind: name === 'boolean' ? 'boolean' : 'null' }
    }
  }
}

function objectOf(base: TreeBase, isTyped: boolean, get: Get, beside: Tree | undefined): ObjectTree {
  const additional = get('additionalProperties') as JsonSchema | undefined
  const unevaluated = get('unevaluatedProperties') as JsonSchema | undefined
  const hasDependents = get('dependentSchemas') !== undefined || get('dependencies') !== undefined
  // Without other schemas about the same object, what is unevaluated is what is additional.
  const isPlain = unevaluated !== undefined && additional === undefined && beside === undefined && !hasDependents
  const isUnevaluated = unevaluated !== undefined && additional === undefined && !isPlain
  return {
    ...base,
    kind: 'object',
    isTyped,
    properties: schemasOf(get('properties')),
    patterns: schemasOf(get('patternProperties')),
    rest: additional ?? (isPlain ? unevaluated : true),
    restKeyword: isPlain ? 'unevaluatedProperties' : 'additionalProperties',
    required: new Set((get('required') as string[] | undefined) ?? []),
    minProperties: (get('minProperties') as number | undefined) ?? 0,
    maxProperties: (get('maxProperties') as number | undefined) ?? Number.POSITIVE_INFINITY,
    hasOwnDependents:
      get('dependencies') === undefined && (get('dependentRequired') ?? get('dependentSchemas')) !== undefined,
    ...dependentsOf(get),
    propertyNames: (get('propertyNames') as JsonSchema | undefined) ?? true,
    unevaluated: isUnevaluated ? { schema: unevaluated, beside } : undefined
  }
}

function schemasOf(value: unknown): Map<string, JsonSchema> {
  return new Map(Object.entries((value as SchemaNode | undefined) ?? {})) as Map<string, JsonSchema>
}

/** `dependencies` holds both, until 2019 gave each a keyword of its own. */
function dependentsOf(get: Get): Pick<ObjectTree, 'dependentNames' | 'dependentSchemas'> {
  const dependentNames = new Map<string, ReadonlySet<string>>()
  const dependentSchemas = schemasOf(get('dependentSchemas'))
  for (const keyword of ['dependencies', 'dependentRequired']) {
    for (const [name, value] of schemasOf(get(keyword)) as Map<string, unknown>) {
      if (!Array.isArray(value)) dependentSchemas.set(name, both(dependentSchemas.get(name), value as JsonSchema))
      else if (value.length > 0) dependentNames.set(name, new Set([...(dependentNames.get(name) ?? []), ...value]))
    }
  }
  return { dependentNames, dependentSchemas }
}

function both(one: JsonSchema | undefined, other: JsonSchema): JsonSchema {
  return one === undefined ? other : { allOf: [one, other] }
}

function arrayOf(base: TreeBase, isTyped: boolean, get: Get, draft: Draft, beside: Tree | undefined): ArrayTree {
  const { prefix, rest, restKeyword, isTuple } = itemsOf(get, draft)
  const contains = containsOf(get)
  const unevaluated = get('unevaluatedItems') as JsonSchema | undefined
  // What `contains` has found counts as looked at.
  const isPlain = unevaluated !== undefined && rest === undefined && beside === undefined && contains === undefined
  return {
    ...base,
    kind: 'array',
    isTyped,
    prefix,
    prefixKeyword: draft === '2020-12' ? 'prefixItems' : 'items',
    rest: rest ?? (isPlain ? unevaluated : true),
    restKeyword: isPlain ? 'unevaluatedItems' : restKeyword,
    isTuple: isTuple || isPlain,
    minItems: (get('minItems') as number | undefined) ?? 0,
    maxItems: (get('maxItems') as number | undefined) ?? Number.POSITIVE_INFINITY,
    isUnique: get('uniqueItems') === true,
    contains,
    unevaluated:
      unevaluated === undefined || isPlain || rest !== undefined ? undefined : { schema: unevaluated, beside }
  }
}

function containsOf(get: Get): ArrayTree['contains'] {
  const schema = get('contains') as JsonSchema | undefined
  if (schema === undefined) return undefined
  const min = (get('minContains') as number | undefined) ?? 1
  const max = (get('maxContains') as number | undefined) ?? Number.POSITIVE_INFINITY
  return { schema, min, max }
}

const CONTENT = ['contentEncoding', 'contentMediaType', 'contentSchema']

function stringOf(base: TreeBase, isTyped: boolean, get: Get): StringTree {
  const content = CONTENT.flatMap((keyword): [string, unknown][] => {
    const value = get(keyword)
    return value === undefined ? [] : [[keyword, value]]
  })
  return {
    ...base,
    kind: 'string',
    isTyped,
    minLength: (get('minLength') as number | undefined) ?? 0,
    maxLength: (get('maxLength') as number | undefined) ?? Number.POSITIVE_INFINITY,
    pattern: get('pattern') as string | undefined,
    format: get('format') as string | undefined,
    content: new Map(content)
  }
}

function numberOf(base: TreeBase, isTyped: boolean, isInteger: boolean, get: Get, draft: Draft): NumberTree {
  const [lower, upper] = [boundOf('minimum', get, draft), boundOf('maximum', get, draft)]
  const multipleOf = get('multipleOf') as number | undefined
  return { ...base, kind: 'number', isTyped, isInteger, lower, upper, multipleOf }
}
