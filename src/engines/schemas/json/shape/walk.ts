import { type Effort, MAX_DEPTH } from '../../fault.ts'
import type { Loss, Shape } from '../../format.ts'
import { isNode, type JsonSchema, own, type SchemaNode } from '../model.ts'
import { type PlainSchema, targetOf, textOfPlace } from '../values/plain.ts'

/** A record that is being looked at. */
interface Enclosing {
  readonly name: string
  isReferredTo: boolean
}

/** Where the walk is. */
export interface At {
  readonly depth: number
  /** The schemas met since the last record, to notice those that contain themselves without a record. */
  readonly met: ReadonlySet<string>
  /** Whether it is a field, whose description is told with it. */
  readonly isField: boolean
  /** What a record here could be called if it has no name. */
  readonly hint: string
}

export const TOP: At = { depth: 0, met: new Set(), isField: false, hint: 'Record' }

/** What is common to a walk through one schema. */
export class Walk {
  readonly plain: PlainSchema
  readonly effort: Effort
  readonly names = new Names()
  /** The enclosing records, by the keys of their schemas. */
  readonly records = new Map<string, Enclosing>()
  readonly #ids = new Map<SchemaNode, number>()
  readonly #copies = new Map<SchemaNode, Map<string, SchemaNode>>()
  readonly #lost = new Map<string, Loss>()

  constructor(plain: PlainSchema, effort: Effort) {
    this.plain = plain
    this.effort = effort
  }

  get lost(): Loss[] {
    return [...this.#lost.values()]
  }

  lose(node: SchemaNode | undefined, keyword: string | undefined, message: string): void {
    const place = node === undefined ? undefined : this.plain.placeOf(node, keyword)
    const path = place === undefined ? '' : textOfPlace(place)
    this.#lost.set(`${path} ${message}`, { path, message })
  }

  parts(schemas: readonly JsonSchema[]): Parts {
    return partsOf(schemas, this.plain, this.effort)
  }

  keyOf(heads: readonly SchemaNode[]): string {
    const ids = heads.map((head) => this.#ids.get(head) ?? this.#ids.set(head, this.#ids.size).size - 1)
    return ids.toSorted((a, b) => a - b).join(' ')
  }

  /** The node without some keywords; the same one each time. */
  without(node: SchemaNode, keywords: readonly string[]): SchemaNode {
    const copies = this.#copies.get(node) ?? new Map<string, SchemaNode>()
    const key = keywords.join(' ')
    const left = Object.entries(node).filter(([keyword]) => !keywords.includes(keyword))
    const copy = copies.get(key) ?? this.plain.copyOf(node, Object.fromEntries(left))
    this.#copies.set(node, copies.set(key, copy))
    return copy
  }

  isTooDeep(at: At): boolean {
    return at.depth > MAX_DEPTH / 2
  }
}

/** Schemas that hold for one value at once. */
export interface Parts {
  readonly nodes: readonly SchemaNode[]
  /** The schemas that the nodes were collected from, with mere references followed. They identify a record. */
  readonly heads: readonly SchemaNode[]
  readonly isImpossible: boolean
}

/** Keywords that a mere reference may have. */
const BESIDE = new Set([
  '$ref',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly'
])

/** Follows references and `allOf`; alternatives are left. */
function partsOf(schemas: readonly JsonSchema[], plain: PlainSchema, effort: Effort): Parts {
  const heads = new Set(schemas.map((schema) => headOf(schema, plain, effort)))
  const nodes = new Set<SchemaNode>()
  const left: JsonSchema[] = schemas.toReversed()
  let isImpossible = false
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    effort.spend()
    if (next === false) isImpossible = true
    if (!isNode(next) || nodes.has(next)) continue
    nodes.add(next)
    const all = own(next, 'allOf')
    if (Array.isArray(all)) for (const each of all.toReversed()) left.push(each)
    const target = targetOf(plain, next)
    if (target !== undefined) left.push(target)
  }
  return { nodes: [...nodes], heads: [...heads].filter(isNode), isImpossible }
}

/** The schema that a mere reference stands for. References never go round in circles. */
function headOf(schema: JsonSchema, plain: PlainSchema, effort: Effort): JsonSchema {
  let next = schema
  while (isMereReference(next)) {
    effort.spend()
    next = targetOf(plain, next) ?? true
  }
  return next
}

function isMereReference(schema: JsonSchema): schema is SchemaNode {
  if (!isNode(schema) || !Object.hasOwn(schema, '$ref')) return false
  return Object.keys(schema).every((keyword) => BESIDE.has(keyword))
}

/** One shape for several, null first; those that are the same become one. */
export function unionOf(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.options : [shape]))
  if (flat.some(({ kind }) => kind === 'any')) return { kind: 'any' }
  const options = new Map(flat.map((shape) => [JSON.stringify(shape), shape]))
  const ordered = [...options.values()].toSorted((a, b) => Number(b.kind === 'null') - Number(a.kind === 'null'))
  const [only, ...others] = ordered
  if (only === undefined) return { kind: 'any' }
  return others.length === 0 ? only : { kind: 'union', options: ordered }
}

/** The value of a keyword in the first node that has it. */
export function said(nodes: readonly SchemaNode[], keyword: string): unknown {
  const node = nodes.find((each) => Object.hasOwn(each, keyword))
  return node === undefined ? undefined : own(node, keyword)
}

export function textSaid(nodes: readonly SchemaNode[], keyword: string): string | undefined {
  const value = said(nodes, keyword)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function listOf(node: SchemaNode, keyword: string): readonly JsonSchema[] | undefined {
  const value = own(node, keyword)
  return Array.isArray(value) && value.length > 0 ? value : undefined
}

export function mapOf(node: SchemaNode, keyword: string): SchemaNode {
  const value = own(node, keyword)
  return isNode(value) ? value : {}
}

const NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/
const HOLDERS = new Set(['$defs', 'definitions', 'schemas'])

/** The title of the first schema, or the name under which it is defined. */
export function nameOf([head]: readonly SchemaNode[], plain: PlainSchema): string | undefined {
  if (head === undefined) return undefined
  const title = own(head, 'title')
  if (typeof title === 'string') return tidyName(title)
  const place = plain.placeOf(head)
  if (place === undefined) return undefined
  const steps = place.pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (HOLDERS.has(steps.at(-2) ?? '')) return tidyName(steps.at(-1) ?? '')
  if (place.pointer !== '' || place.dependency === undefined) return undefined
  return tidyName(
    (place.dependency.split(/[/#]/).findLast((part) => part !== '') ?? '').replace(/(?:\.schema)?\.json$/, '')
  )
}

/** As other languages can say it: `order item` becomes `OrderItem`. */
export function tidyName(text: string): string | undefined {
  if (NAME.test(text)) return text
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  if (name === '') return undefined
  return /^[0-9]/.test(name) ? `_${name}` : name
}

/** Hands out each name once: what comes later gets a number. */
class Names {
  readonly #taken = new Set<string>()
  readonly #names = new Map<string, string>()

  of(key: string, wish: string): string {
    const known = this.#names.get(key)
    if (known !== undefined) return known
    let name = wish
    for (let number = 2; this.#taken.has(name); number++) name = `${wish}${number}`
    this.#taken.add(name)
    this.#names.set(key, name)
    return name
  }
}
