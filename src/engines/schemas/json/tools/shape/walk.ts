import { type Effort, MAX_DEPTH } from '../../../effort.ts'
import type { Loss } from '../../../format.ts'
import type { Shape } from '../../../shape.ts'
import { isNode, type JsonSchema, own, type SchemaNode } from '../../model.ts'
import { type PlainSchema, textOfPlace } from '../plain.ts'
import { Names } from './names.ts'
import { type Parts, partsOf } from './parts.ts'

/** A record that is being looked at. */
export interface Enclosing {
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

export const TOP: At = { depth: 0, met: new Set(), isField: false, hint: 'Record' }

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
