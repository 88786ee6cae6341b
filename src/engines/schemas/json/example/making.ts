import { isDeepStrictEqual } from 'node:util'
import { pick, type Random } from '../../../seeded-random.ts'
import type { Effort } from '../../fault.ts'
import { isNode, isSchema, type JsonSchema, own, type SchemaNode } from '../model.ts'
import { isOfType, type PlainPlace, type PlainSchema, targetOf } from '../values/plain.ts'
import type { Validator } from '../values/validator.ts'

/** What is known while one value is made. */
export interface Making {
  readonly validator: Validator
  readonly plain: PlainSchema
  readonly random: Random
  readonly effort: Effort
  /** How many levels the smallest value of a schema has; infinite where it never ends. */
  readonly heights: ReadonlyMap<JsonSchema, number>
  /** How likely something is added that need not be there, from 0 to 1. */
  readonly generosity: number
  /** Counts over the whole value: inner values made, and attempts repeated. */
  readonly count: { made: number; repeated: number }
}

/** Where a value is made: what it is called, and how far inside. */
export interface Spot {
  readonly name: string
  readonly depth: number
}

/** Thrown where no value can be made. The place is that of the keyword that can't be satisfied. */
export class DeadEnd extends Error {
  readonly place: PlainPlace | undefined

  constructor(place: PlainPlace | undefined) {
    super('no value fits')
    this.place = place
  }
}

const GENEROUS_DEPTH = 4
const GENEROUS_VALUES = 200

/** Whether to leave out all optional parts, so that values end. */
export function isFrugal(making: Making, spot: Spot): boolean {
  return spot.depth > GENEROUS_DEPTH || making.count.made > GENEROUS_VALUES
}

export function deadEnd(making: Making, node: SchemaNode | undefined, keyword?: string): DeadEnd {
  return new DeadEnd(node === undefined ? undefined : making.plain.placeOf(node, keyword))
}

export interface Flat {
  /** All of them have to hold, each without regard to its references, `allOf` and alternatives. */
  readonly nodes: readonly SchemaNode[]
  /** Whether there was anything to choose, so that another time may be different. */
  readonly hadChoice: boolean
}

/** Follows references, and chooses one of each set of alternatives. */
export function flatten(schemas: readonly JsonSchema[], making: Making, spot: Spot): Flat {
  const nodes = new Set<SchemaNode>()
  const left: [schema: JsonSchema, parent?: SchemaNode, keyword?: string][] = schemas.map((schema) => [schema])
  let hadChoice = false
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    making.effort.spend()
    const [schema, parent, keyword] = next
    if (schema === false) throw deadEnd(making, parent, keyword)
    if (!isNode(schema) || nodes.has(schema)) continue
    nodes.add(schema)
    if (Object.hasOwn(schema, '$ref')) left.push([targetOf(making.plain, schema) ?? true, schema, '$ref'])
    for (const each of schemasOf(schema, 'allOf')) left.push([each, schema, 'allOf'])
    for (const alternatives of ['anyOf', 'oneOf']) {
      const branches = schemasOf(schema, alternatives)
      if (branches.length === 0) continue
      hadChoice ||= branches.length > 1
      left.push([choose(branches, nodes, making, spot), schema, alternatives])
    }
    const condition = own(schema, 'if')
    if (!isSchema(condition)) continue
    hadChoice = true
    if (making.random() < 0.5) left.push([condition, schema, 'if'], [schemaOf(schema, 'then'), schema, 'then'])
    else left.push([schemaOf(schema, 'else'), schema, 'else'])
  }
  return { nodes: [...nodes], hadChoice }
}

function schemasOf(node: SchemaNode, keyword: string): JsonSchema[] {
  const value = own(node, keyword)
  return Array.isArray(value) ? value : []
}

function schemaOf(node: SchemaNode, keyword: string): JsonSchema {
  const value = own(node, keyword)
  return isSchema(value) ? value : true
}

function choose(branches: readonly JsonSchema[], nodes: Iterable<SchemaNode>, making: Making, spot: Spot): JsonSchema {
  const types = [...nodes].flatMap((node) => own(node, 'type') ?? [])
  const possible = branches.filter((branch) => branch !== false && !isOfOtherType(branch, types))
  const usable = possible.length > 0 ? possible : branches
  if (!isFrugal(making, spot)) {
    const ending = usable.filter((branch) => making.heights.get(branch) !== Infinity)
    return pick(making.random, ending.length > 0 ? ending : usable)
  }
  const heights = usable.map((branch) => making.heights.get(branch) ?? 0)
  const least = heights.reduce((one, other) => Math.min(one, other))
  return pick(
    making.random,
    usable.filter((_, index) => heights[index] === least)
  )
}

/** Whether a branch has another type than the schemas around it. Not exact; it only saves attempts. */
function isOfOtherType(branch: JsonSchema, types: readonly unknown[]): boolean {
  const type = isNode(branch) ? own(branch, 'type') : undefined
  return (
    typeof type === 'string' && types.length === 1 && types[0] !== type && type !== 'integer' && types[0] !== 'integer'
  )
}

/**
 * How many levels the smallest value of each schema has. A schema that needs a value of itself has none: those start
 * out as endless, and what is found to end makes others end, until nothing changes.
 */
export function heightsOf(plain: PlainSchema, effort: Effort): ReadonlyMap<JsonSchema, number> {
  const nodes = collect(plain, effort)
  const heights = new Map<JsonSchema, number>(nodes.map((node) => [node, Infinity]))
  const of = (schema: unknown) => (isNode(schema) ? (heights.get(schema) ?? 0) : schema === false ? Infinity : 0)
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const node of nodes) {
      effort.spend()
      const height = heightOf(node, plain, of)
      if (height === heights.get(node)) continue
      heights.set(node, height)
      isChanged = true
    }
  }
  return heights
}

const DATA = new Set(['enum', 'const', 'default', 'examples'])

/** All nodes, inner ones before outer ones, so that most heights are right in the first round. */
function collect(plain: PlainSchema, effort: Effort): SchemaNode[] {
  const left: unknown[] = [plain.document]
  const nodes: SchemaNode[] = []
  while (left.length > 0) {
    effort.spend()
    const next = left.pop()
    if (isNode(next)) nodes.push(next)
    if (typeof next !== 'object' || next === null) continue
    for (const [keyword, value] of Object.entries(next)) if (!DATA.has(keyword)) left.push(value)
  }
  return nodes.reverse()
}

function heightOf(node: SchemaNode, plain: PlainSchema, of: (schema: unknown) => number): number {
  const alternatives = [own(node, 'anyOf'), own(node, 'oneOf')].filter(Array.isArray)
  return greatest([
    inside(node, of),
    ...listed(own(node, 'allOf')).map(of),
    ...alternatives.map((branches) => branches.map(of).reduce((one, other) => Math.min(one, other), Infinity)),
    Object.hasOwn(node, '$ref') ? of(targetOf(plain, node)) : 0
  ])
}

/** The height of the members and items that an object or array must have; 0 for other values. */
function inside(node: SchemaNode, of: (schema: unknown) => number): number {
  const types = [own(node, 'type') ?? []].flat()
  if (Object.hasOwn(node, 'const') || Object.hasOwn(node, 'enum')) return 0
  if (types.some((type) => type !== 'object' && type !== 'array')) return 0
  const properties = own(node, 'properties')
  const required = listed(own(node, 'required')).filter((name) => isNode(properties) && Object.hasOwn(properties, name))
  const members = required.map((name) => of((properties as SchemaNode)[name]))
  const least = Number(own(node, 'minItems') ?? 0)
  const items = own(node, 'items')
  const first = listed(own(node, 'prefixItems')).slice(0, least)
  const rest = isSchema(items) && least > first.length ? [of(items)] : []
  const inner = types[0] === 'array' ? [] : members
  const elements = types[0] === 'object' ? [] : [...first.map(of), ...rest]
  return inner.length + elements.length === 0 ? 0 : 1 + greatest([...inner, ...elements])
}

function listed(value: unknown): string[] {
  return Array.isArray(value) ? value : []
}

/** `Math.max` takes its values from the stack. */
function greatest(values: readonly number[]): number {
  return values.reduce((one, other) => Math.max(one, other), 0)
}

/** Keywords that `isAllowed` checks itself, and those that allow every value. Nodes with others go to the validator. */
const SIMPLE = new Set(['type', 'enum', 'const', 'title', 'description', 'default', 'examples', '$ref'])

/** One of the values that a node lists and no other refuses. */
export function chooseListed(listing: SchemaNode, nodes: readonly SchemaNode[], making: Making): unknown {
  const keyword = Object.hasOwn(listing, 'const') ? 'const' : 'enum'
  const values = keyword === 'const' ? [listing.const] : (listing.enum as unknown[])
  const start = Math.floor(making.random() * values.length)
  for (let index = 0; index < values.length; index++) {
    making.effort.spend()
    const value = values[(start + index) % values.length]
    if (nodes.every((node) => isAllowed(value, node, making))) return value
  }
  throw deadEnd(making, listing, keyword)
}

function isAllowed(value: unknown, node: SchemaNode, making: Making): boolean {
  if (Object.keys(node).some((keyword) => !SIMPLE.has(keyword))) return making.validator.fitsNode(node, value)
  const [types, list] = [own(node, 'type'), own(node, 'enum')]
  if (types !== undefined && ![types].flat().some((type) => isOfType(value, type))) return false
  if (Object.hasOwn(node, 'const') && !isDeepStrictEqual(value, node.const)) return false
  return !Array.isArray(list) || list.some((each) => isDeepStrictEqual(value, each))
}
