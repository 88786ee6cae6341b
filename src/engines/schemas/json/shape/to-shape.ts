import { type Effort, MAX_DEPTH } from '../../fault.ts'
import type { Converted, Loss, Shape } from '../../format.ts'
import { isNode, type JsonModel, type JsonSchema, own, type SchemaNode } from '../model.ts'
import { makePlain, type PlainSchema, textOfPlace, typesMeant, typesSaid } from '../values/plain.ts'
import { isListing, listedShape, loseKeywords, shapeOfNumber, shapeOfString } from './scalars.ts'
import { alternativesOf, type Parts, partsOf, shapeOfArray, shapeOfObject } from './structures.ts'

/** A shape is more work than a look at a node. */
const SHAPE_STEPS = 10

export function toShape(model: JsonModel, effort: Effort): Converted<Shape> {
  const walk = new Walk(makePlain(model, effort), effort)
  const result = shapeOf([walk.plain.document], walk, TOP)
  return { result, lost: walk.lost }
}

function shapeOf(schemas: readonly JsonSchema[], walk: Walk, at: At): Shape {
  walk.effort.spend(SHAPE_STEPS)
  const { nodes, heads, isImpossible } = walk.parts(schemas)
  const [first] = nodes
  if (isImpossible) {
    walk.lose(first, undefined, 'That no value is allowed here is not said.')
    return { kind: 'any' }
  }
  const key = walk.keyOf(heads)
  const known = walk.records.get(key)
  if (known !== undefined) {
    known.isReferredTo = true
    return { kind: 'recursion', name: known.name }
  }
  if (walk.isTooDeep(at) || at.met.has(key)) {
    walk.lose(first, undefined, 'What contains itself without a record in between can be anything.')
    return { kind: 'any' }
  }
  return shapeOfNodes(nodes, heads, walk, { ...at, met: new Set([...at.met, key]) })
}

function shapeOfNodes(nodes: readonly SchemaNode[], heads: readonly SchemaNode[], walk: Walk, at: At): Shape {
  const alternatives = alternativesOf(nodes, walk)
  if (alternatives !== undefined) {
    const { branches, others } = alternatives
    const shapes: Shape[] = []
    for (const branch of branches) {
      const merged = walk.parts([branch, ...others])
      if (merged.isImpossible || typesSaid(merged.nodes)?.length === 0) continue
      shapes.push(shapeOf([branch, ...others], walk, at))
    }
    return unionOf(shapes)
  }
  return shapeOfOne(nodes, heads, walk, at)
}

function shapeOfOne(nodes: readonly SchemaNode[], heads: readonly SchemaNode[], walk: Walk, at: At): Shape {
  loseKeywords(nodes, walk, at)
  if (isListing(nodes)) return listedShape(nodes, walk)
  const types = typesSaid(nodes) ?? typesMeant(nodes)
  if (types.length === 0) return { kind: 'any' }
  if (typesSaid(nodes) === undefined)
    walk.lose(heads[0], undefined, 'That values of other types are allowed is not said.')
  const shapes = types.map((type): Shape => {
    if (type === 'string') return shapeOfString(nodes, walk)
    if (type === 'integer' || type === 'number') return shapeOfNumber(nodes, type, walk)
    if (type === 'array') return shapeOfArray(nodes, walk, at, shapeOf)
    if (type === 'object') return shapeOfObject(nodes, heads, walk, at, shapeOf)
    return { kind: type }
  })
  const doc = textOf(nodes, 'description')
  if (doc !== undefined && !at.isField && !shapes.some(({ kind }) => kind === 'record')) {
    walk.lose(
      nodes.find((node) => Object.hasOwn(node, 'description')),
      'description',
      'The description is left out.'
    )
  }
  return unionOf(shapes)
}

/** A record that is being looked at. */
interface Enclosing {
  readonly name: string
  isReferredTo: boolean
}

/** Where the walk is. */
export interface At {
  readonly depth: number
  /** What was met since the last record, so that what has no end without one is noticed. */
  readonly met: ReadonlySet<string>
  /** Whether it is a field, whose description is told with it. */
  readonly isField: boolean
  /** What a record here could be called if it has no name. */
  readonly hint: string
}

const TOP: At = { depth: 0, met: new Set(), isField: false, hint: 'Record' }

/** What is common to a walk through one schema. */
export class Walk {
  readonly plain: PlainSchema
  readonly effort: Effort
  readonly names = new Names()
  /** Those that the walk is inside of, by the keys of what they are made of. */
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

/** What the first node that has it says. */
export function said(nodes: readonly SchemaNode[], keyword: string): unknown {
  const node = nodes.find((each) => Object.hasOwn(each, keyword))
  return node === undefined ? undefined : own(node, keyword)
}

export function textOf(nodes: readonly SchemaNode[], keyword: string): string | undefined {
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

/** What the first of schemas that hold at once calls itself, or what it is called where it stands. */
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
