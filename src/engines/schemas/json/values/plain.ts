import { type Effort, MAX_DEPTH, SchemaFault } from '../../fault.ts'
import { type Form, formOf, ignoresBesideRef } from '../drafts.ts'
import {
  isNode,
  isSchema,
  type JsonModel,
  type JsonSchema,
  own,
  REFERENCE_KEYWORDS,
  type SchemaNode
} from '../model.ts'

/**
 * A schema with all it refers to as one document, said in the words of draft 2020-12: every `$ref` is `#/$defs/<name>`,
 * there are no identifiers, and nothing the schema's own draft does not know.
 */
export interface PlainSchema {
  readonly document: SchemaNode
  readonly definitions: ReadonlyMap<string, JsonSchema>
  /** How many nodes there are. */
  readonly size: number
  /** Where a node, or one of its keywords, was taken from; undefined where it stands in no schema. */
  placeOf(node: SchemaNode, keyword?: string): PlainPlace | undefined
  /** Has a node that was made of another stand for it. */
  copyOf(node: SchemaNode, copy: SchemaNode): SchemaNode
}

export interface PlainPlace {
  readonly pointer: string
  readonly dependency: string | undefined
}

export function textOfPlace({ pointer, dependency }: PlainPlace): string {
  return dependency === undefined ? pointer : `${dependency}#${pointer}`
}

const DEFINITION_PREFIX = '#/$defs/'

/** The schema that `$ref` of a plain node leads to. */
export function targetOf(plain: PlainSchema, node: SchemaNode): JsonSchema | undefined {
  const reference = own(node, '$ref')
  return typeof reference === 'string' ? plain.definitions.get(reference.slice(DEFINITION_PREFIX.length)) : undefined
}

/** What only says how schemas are called, and what stands elsewhere in a plain schema. */
const NOT_PLAIN = new Set([
  ...['$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary', '$comment'],
  ...[...REFERENCE_KEYWORDS, '$defs', 'definitions', 'contentSchema']
])
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples'])

export function makePlain(model: JsonModel, effort: Effort): PlainSchema {
  return new Translation(model, effort).result()
}

class Translation {
  readonly #model: JsonModel
  readonly #effort: Effort
  #size = 0
  /** The nodes that are referred to, by the names of their definitions. */
  readonly #names = new Map<SchemaNode, string>()
  readonly #waiting: SchemaNode[] = []
  readonly #definitions = new Map<string, JsonSchema>()
  readonly #origins = new WeakMap<SchemaNode, SchemaNode>()

  constructor(model: JsonModel, effort: Effort) {
    this.#model = model
    this.#effort = effort
  }

  result(): PlainSchema {
    const { document } = this.#model
    this.#findTargets(document)
    const root = this.#schema(document, 0)
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      this.#definitions.set(this.#names.get(next) as string, this.#node(next, 0))
    }
    const top = isNode(root) ? root : { allOf: [root] }
    const plain = { ...top, $defs: Object.fromEntries(this.#definitions) }
    if (isNode(document)) this.#origins.set(plain, document)
    return {
      document: plain,
      definitions: this.#definitions,
      size: this.#size,
      placeOf: (node, keyword) => this.#placeOf(node, keyword),
      copyOf: (node, copy) => {
        const origin = this.#origins.get(node)
        if (origin !== undefined) this.#origins.set(copy, origin)
        return copy
      }
    }
  }

  #placeOf(node: SchemaNode, keyword?: string): PlainPlace | undefined {
    const origin = this.#origins.get(node)
    if (origin === undefined) return undefined
    const { pointer, dependency } = this.#model.placeOf(origin)
    const path = keyword === undefined ? pointer : `${pointer}/${originalKeyword(origin, keyword)}`
    return { pointer: path, dependency }
  }

  /** First of all, so that a node that is referred to is written once, however often it is met. */
  #findTargets(document: JsonSchema): void {
    const left: JsonSchema[] = [document]
    const seen = new Set<JsonSchema>()
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      this.#effort.spend()
      if (!isNode(next) || seen.has(next)) continue
      seen.add(next)
      for (const keyword of REFERENCE_KEYWORDS) {
        const target = Object.hasOwn(next, keyword) ? this.#model.target(next, keyword) : undefined
        if (target === undefined) continue
        left.push(target)
        if (isNode(target) && !this.#names.has(target)) {
          this.#names.set(target, `d${this.#names.size}`)
          this.#waiting.push(target)
        }
      }
      for (const [keyword, value] of Object.entries(next)) {
        for (const inner of schemasIn(value, this.#formOf(next, keyword))) left.push(inner)
      }
    }
  }

  #schema(schema: JsonSchema, depth: number): JsonSchema {
    if (!isNode(schema)) return schema
    const name = this.#names.get(schema)
    if (name === undefined) return this.#node(schema, depth)
    const reference = { $ref: `${DEFINITION_PREFIX}${name}` }
    this.#origins.set(reference, schema)
    return reference
  }

  #node(node: SchemaNode, depth: number): SchemaNode {
    this.#effort.spend()
    this.#size++
    if (depth > MAX_DEPTH) throw new SchemaFault('too_complex', `The schema is nested over ${MAX_DEPTH} levels deep`)
    const plain: [keyword: string, value: unknown][] = []
    for (const [keyword, value] of Object.entries(node)) {
      const form = this.#formOf(node, keyword)
      if (form === undefined || keyword === 'items' || keyword === 'additionalItems') continue
      if (form === 'schema') plain.push([keyword, this.#schema(value as JsonSchema, depth + 1)])
      else if (form === 'list') plain.push([keyword, this.#list(value, depth)])
      else if (form === 'map') plain.push([keyword, this.#named(value, depth)])
      else if (form === 'map-of-schemas-or-names') plain.push(...this.#dependencies(value, depth))
      else plain.push([keyword, value])
    }
    const result = Object.fromEntries([...plain, ...this.#items(node, depth), ...this.#references(node)])
    if (this.#model.draftOf(node) === 'draft-04') moveExclusiveBounds(result)
    if (result.uniqueItems === true && Array.isArray(result.prefixItems)) wrapItems(result)
    this.#origins.set(result, node)
    return result
  }

  #formOf(node: SchemaNode, keyword: string): Form | undefined {
    const draft = this.#model.draftOf(node)
    const isIgnored = ignoresBesideRef(draft) && Object.hasOwn(node, '$ref') && !ANNOTATIONS.has(keyword)
    return NOT_PLAIN.has(keyword) || isIgnored ? undefined : formOf(keyword, draft)
  }

  #list(value: unknown, depth: number): JsonSchema[] {
    return (value as JsonSchema[]).map((schema) => this.#schema(schema, depth + 1))
  }

  #named(value: unknown, depth: number): SchemaNode {
    const entries = Object.entries(value as Record<string, JsonSchema>)
    return Object.fromEntries(entries.map(([name, schema]) => [name, this.#schema(schema, depth + 1)]))
  }

  #dependencies(value: unknown, depth: number): [string, unknown][] {
    const entries = Object.entries(value as Record<string, JsonSchema | string[]>)
    const schemas = entries.filter(([, each]) => isSchema(each)) as [string, JsonSchema][]
    const required = entries.filter(([, each]) => Array.isArray(each))
    return [
      ['dependentRequired', Object.fromEntries(required)],
      ['dependentSchemas', Object.fromEntries(schemas.map(([name, each]) => [name, this.#schema(each, depth + 1)]))]
    ].filter(([, each]) => Object.keys(each as object).length > 0) as [string, unknown][]
  }

  #items(node: SchemaNode, depth: number): [string, unknown][] {
    const items = this.#formOf(node, 'items') === undefined ? undefined : own(node, 'items')
    if (isSchema(items)) return [['items', this.#schema(items, depth + 1)]]
    if (!Array.isArray(items)) return []
    const rest = own(node, 'additionalItems')
    const plain: [string, unknown][] = items.length === 0 ? [] : [['prefixItems', this.#list(items, depth)]]
    return isSchema(rest) ? [...plain, ['items', this.#schema(rest, depth + 1)]] : plain
  }

  /** More than one reference in a node, and one to `true` or `false`, can only be said with `allOf`. */
  #references(node: SchemaNode): [string, unknown][] {
    const targets = REFERENCE_KEYWORDS.filter((keyword) => Object.hasOwn(node, keyword))
      .map((keyword) => this.#model.target(node, keyword))
      .filter((target) => target !== undefined)
      .map((target) => this.#schema(target, 0))
    const [only] = targets
    if (only === undefined) return []
    if (targets.length === 1 && isNode(only)) return [['$ref', only.$ref]]
    const others = own(node, 'allOf')
    return [['allOf', [...targets, ...(Array.isArray(others) ? this.#list(others, 0) : [])]]]
  }
}

/** Where items have to be unique ajv takes a type that further items have for the type of all, and compares no others. */
function wrapItems(node: Record<string, unknown>): void {
  if (isNode(node.items as JsonSchema)) node.items = { allOf: [node.items] }
}

/** In draft 4 they are switches beside `minimum` and `maximum`. */
function moveExclusiveBounds(node: Record<string, unknown>): void {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum']
  ] as const) {
    const isExclusive = node[exclusive] === true && node[bound] !== undefined
    if (isExclusive) node[exclusive] = node[bound]
    else delete node[exclusive]
    if (isExclusive) delete node[bound]
  }
}

function schemasIn(value: unknown, form: Form | undefined): JsonSchema[] {
  if (form === 'map' || form === 'map-of-schemas-or-names') return Object.values(value as object).filter(isSchema)
  if (form === 'schema') return [value as JsonSchema]
  return form === 'list' || form === 'schema-or-list' ? [value as JsonSchema | JsonSchema[]].flat() : []
}

function originalKeyword(origin: SchemaNode, keyword: string): string {
  if (Object.hasOwn(origin, keyword)) return keyword
  if (keyword === 'prefixItems') return 'items'
  return keyword.startsWith('dependent') && Object.hasOwn(origin, 'dependencies') ? 'dependencies' : keyword
}

export type Type = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

const KEYWORDS: readonly (readonly [Type, readonly string[]])[] = [
  [
    'object',
    [
      ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties'],
      ...['maxProperties', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties']
    ]
  ],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems', 'unevaluatedItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']]
]

/** What `type` of all nodes together allows, `number` without `integer`; undefined where there is none. */
export function typesSaid(nodes: readonly SchemaNode[]): Type[] | undefined {
  let allowed: Set<Type> | undefined
  for (const node of nodes) {
    const given = own(node, 'type')
    if (given === undefined) continue
    const types = new Set([given].flat() as Type[])
    if (types.has('number')) types.add('integer')
    allowed = allowed === undefined ? types : allowed.intersection(types)
  }
  if (allowed?.has('number')) allowed.delete('integer')
  return allowed === undefined ? undefined : [...allowed]
}

/** A schema that says what properties there are means objects, although it allows all that is none. */
export function typesMeant(nodes: readonly SchemaNode[]): Type[] {
  const isMeant = (keywords: readonly string[]) =>
    nodes.some((node) => keywords.some((keyword) => Object.hasOwn(node, keyword)))
  return KEYWORDS.filter(([, keywords]) => isMeant(keywords)).map(([type]) => type)
}

export function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}
