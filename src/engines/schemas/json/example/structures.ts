import { between, pick } from '../../../seeded-random.ts'
import { isNode, isSchema, type JsonSchema, makePattern, own, type SchemaNode } from '../model.ts'
import { DeadEnd, deadEnd, flatten, isFrugal, type Making, type Spot } from './making.ts'
import { readPattern, textMatching } from './pattern.ts'
import { word } from './scalars.ts'

type Generate = (schemas: readonly JsonSchema[], making: Making, spot: Spot) => unknown

const OPTIONAL_CHANCE = 0.75
const MAX_PROPERTIES = 1000
const MAX_ROUNDS = 10
const MAX_MAP_ENTRIES = 3
const INVENTIONS = 5

export function makeObject(given: readonly SchemaNode[], making: Making, spot: Spot, generate: Generate): object {
  const { nodes, names, required } = chooseNames(given, making, spot)
  const inner = (name: string) => ({ name, depth: spot.depth + 1 })
  const least = leastProperties(nodes, making, spot)
  const entries = new Map<string, unknown>()
  for (const name of names) {
    const schemas = memberSchemas(nodes, name)
    if (schemas.includes(false)) throw deadEnd(making, nodeRequiring(nodes, name), 'required')
    try {
      entries.set(name, generate(schemas, making, inner(name)))
    } catch (error) {
      if (required.has(name) || !(error instanceof DeadEnd)) throw error
    }
  }
  for (let left = (least.count - entries.size) * INVENTIONS; entries.size < least.count && left > 0; left--) {
    const name = inventName(nodes, making, spot, entries, generate)
    const schemas = name === undefined ? [false] : memberSchemas(nodes, name)
    if (name === undefined || schemas.includes(false)) continue
    entries.set(name, generate(schemas, making, inner(name)))
  }
  if (entries.size < least.needed) throw deadEnd(making, least.node, 'minProperties')
  return Object.fromEntries(entries)
}

/** The node that asks for a property, as near as can be told. */
function nodeRequiring(nodes: readonly SchemaNode[], name: string): SchemaNode | undefined {
  const asks = (node: SchemaNode) => [own(node, 'required') ?? []].flat().includes(name)
  return nodes.find(asks) ?? nodes.find((node) => Object.hasOwn(node, 'dependentRequired'))
}

/** The names that have to be there and some more, with what schemas ask for because of them. */
function chooseNames(given: readonly SchemaNode[], making: Making, spot: Spot) {
  let nodes = given
  const taken = new Set<JsonSchema>()
  let required = requiredNames(nodes, [])
  const most = Math.min(MAX_PROPERTIES, ...nodes.map((node) => Number(own(node, 'maxProperties') ?? Infinity)))
  const chance = isFrugal(making, spot) ? 0 : OPTIONAL_CHANCE * making.generosity
  let names = new Set(orderedNames(nodes).filter((name) => required.has(name) || making.random() < chance))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const extra = nodes.flatMap((node) => dependentSchemas(node, names)).filter((schema) => !taken.has(schema))
    for (const schema of extra) taken.add(schema)
    if (extra.length > 0) nodes = [...nodes, ...flatten(extra, making, spot).nodes]
    const all = requiredNames(nodes, names)
    const before = names.size
    names = names.union(all)
    if (extra.length === 0 && names.size === before) break
  }
  required = requiredNames(nodes, requiredNames(nodes, []))
  const optional = [...names].filter((name) => !required.has(name) && !memberSchemas(nodes, name).includes(false))
  const chosen = new Set([...required, ...optional.slice(0, Math.max(0, most - required.size))])
  const ordered = [...names].filter((name) => chosen.has(name))
  return { nodes, names: [...new Set([...ordered, ...required])], required }
}

/** Names that `required` lists, and those that have to be there beside the given ones. */
function requiredNames(nodes: readonly SchemaNode[], present: Iterable<string>): Set<string> {
  const names = new Set(present)
  for (const node of nodes) {
    const required = own(node, 'required')
    if (Array.isArray(required)) for (const name of required) names.add(name)
  }
  for (const name of names) {
    for (const node of nodes) {
      const dependent = own(node, 'dependentRequired')
      const more = isNode(dependent) ? own(dependent, name) : undefined
      if (Array.isArray(more)) for (const each of more) names.add(each)
    }
  }
  return names
}

function dependentSchemas(node: SchemaNode, names: ReadonlySet<string>): JsonSchema[] {
  const schemas = own(node, 'dependentSchemas')
  if (!isNode(schemas)) return []
  return [...names].map((name) => own(schemas, name)).filter(isSchema)
}

function orderedNames(nodes: readonly SchemaNode[]): string[] {
  const names = nodes.flatMap((node) => {
    const properties = own(node, 'properties')
    return isNode(properties) ? Object.keys(properties) : []
  })
  return [...new Set(names)]
}

/** How many properties there should be, and how many there have to be. Maps get some although they need none. */
function leastProperties(nodes: readonly SchemaNode[], making: Making, spot: Spot) {
  const node = nodes.toSorted((a, b) => Number(own(b, 'minProperties') ?? 0) - Number(own(a, 'minProperties') ?? 0))[0]
  const needed = Number((node && own(node, 'minProperties')) ?? 0)
  if (needed > MAX_PROPERTIES) throw deadEnd(making, node, 'minProperties')
  const isMap =
    nodes.every((each) => !Object.hasOwn(each, 'properties')) &&
    nodes.some((each) => isNode(own(each, 'additionalProperties')) || isNode(own(each, 'patternProperties')))
  if (!isMap || isFrugal(making, spot) || making.generosity === 0) return { count: needed, needed, node }
  const most = Math.min(MAX_MAP_ENTRIES, ...nodes.map((each) => Number(own(each, 'maxProperties') ?? Infinity)))
  return { count: Math.max(needed, between(making.random, Math.min(1, most), most)), needed, node }
}

/** A name that no property has yet, of the kind that the schema speaks of; undefined where this attempt found none. */
function inventName(
  nodes: readonly SchemaNode[],
  making: Making,
  spot: Spot,
  taken: ReadonlyMap<string, unknown>,
  generate: Generate
): string | undefined {
  const names = [
    fromDeclared(nodes, making),
    ...fromNameSchemas(nodes, making, spot, generate),
    fromPatterns(nodes, making)
  ]
  const usable = names.filter((name) => name !== undefined).filter((name) => !taken.has(name))
  if (usable.length > 0) return pick(making.random, usable)
  const name = `${word(making.random)}${taken.size === 0 ? '' : between(making.random, 1, 99)}`
  return taken.has(name) ? undefined : name
}

function fromDeclared(nodes: readonly SchemaNode[], making: Making): string | undefined {
  const declared = nodes.flatMap((node) => {
    const properties = own(node, 'properties')
    return isNode(properties) ? Object.keys(properties) : []
  })
  return declared.length === 0 ? undefined : pick(making.random, declared)
}

function fromPatterns(nodes: readonly SchemaNode[], making: Making): string | undefined {
  const patterns = nodes.flatMap((node) => {
    const named = own(node, 'patternProperties')
    return isNode(named) ? Object.keys(named) : []
  })
  const pattern = patterns.length === 0 ? undefined : readPattern(pick(making.random, patterns))
  return pattern === undefined ? undefined : textMatching(pattern, making.random, 3)
}

function fromNameSchemas(nodes: readonly SchemaNode[], making: Making, spot: Spot, generate: Generate): string[] {
  const schemas = nodes.map((node) => own(node, 'propertyNames')).filter(isSchema)
  if (schemas.length === 0) return []
  try {
    return [String(generate([...schemas, { type: 'string' }], making, { name: '', depth: spot.depth + 1 }))]
  } catch (error) {
    if (error instanceof DeadEnd) return []
    throw error
  }
}

/** What all nodes together ask of the property with a name. */
function memberSchemas(nodes: readonly SchemaNode[], name: string): JsonSchema[] {
  const schemas: JsonSchema[] = []
  let isKnown = false
  for (const node of nodes) {
    const found = declared(node, name)
    const other = found.length === 0 ? own(node, 'additionalProperties') : undefined
    if (isSchema(other)) found.push(other)
    isKnown ||= found.length > 0
    schemas.push(...found)
  }
  if (isKnown) return schemas
  return nodes.map((node) => own(node, 'unevaluatedProperties')).filter(isSchema)
}

function declared(node: SchemaNode, name: string): JsonSchema[] {
  const [properties, patterns] = [own(node, 'properties'), own(node, 'patternProperties')]
  const named = isNode(properties) ? own(properties, name) : undefined
  const matching = isNode(patterns) ? Object.keys(patterns).filter((pattern) => makePattern(pattern).test(name)) : []
  return [named, ...matching.map((pattern) => own(patterns as SchemaNode, pattern))].filter(isSchema)
}

/** What all nodes together ask of the item with an index. */
function itemSchemas(nodes: readonly SchemaNode[], index: number): JsonSchema[] {
  const schemas: JsonSchema[] = []
  for (const node of nodes) {
    const first = own(node, 'prefixItems')
    const length = Array.isArray(first) ? first.length : 0
    const schema = index < length ? (first as JsonSchema[])[index] : own(node, 'items')
    if (isSchema(schema)) schemas.push(schema)
  }
  if (schemas.length > 0) return schemas
  return nodes.map((node) => own(node, 'unevaluatedItems')).filter(isSchema)
}

const MAX_ITEMS = 5000
const MORE_ITEMS = 2
const UNIQUE_ATTEMPTS = 20

export function makeArray(nodes: readonly SchemaNode[], making: Making, spot: Spot, generate: Generate): unknown[] {
  const wanted = nodes.flatMap((node) => containedIn(node))
  const length = lengthOf(nodes, wanted.length, making, spot)
  const isUnique = nodes.some((node) => own(node, 'uniqueItems') === true)
  const places = placesFor(wanted, nodes, length)
  const seen = new Set<string>()
  const items: unknown[] = []
  for (let index = 0; index < length; index++) {
    const contained = places.get(index)
    const schemas = [...itemSchemas(nodes, index), ...(contained === undefined ? [] : [contained])]
    const one = () => generate(schemas, making, { name: spot.name, depth: spot.depth + 1 })
    let item = one()
    for (let left = UNIQUE_ATTEMPTS; isUnique && left > 0 && seen.has(sorted(item)); left--) item = one()
    if (isUnique && seen.has(sorted(item))) {
      // A shorter array fits too where `minItems` allows it.
      if (index >= leastItems(nodes)) break
      throw deadEnd(
        making,
        nodes.find((node) => own(node, 'uniqueItems') === true),
        'uniqueItems'
      )
    }
    if (isUnique) seen.add(sorted(item))
    items.push(item)
  }
  return items
}

/** What `contains` asks for, once for each time it has to be there. */
function containedIn(node: SchemaNode): JsonSchema[] {
  const contained = own(node, 'contains')
  const times = Number(own(node, 'minContains') ?? 1)
  return isSchema(contained) ? Array.from({ length: Math.min(times, MAX_ITEMS) }, () => contained) : []
}

/** At the end, where items are least likely to have schemas of their own. */
function placesFor(
  wanted: readonly JsonSchema[],
  nodes: readonly SchemaNode[],
  length: number
): Map<number, JsonSchema> {
  const from = Math.max(0, length - wanted.length)
  const first = nodes.reduce((most, node) => Math.max(most, firstOf(node).length), 0)
  return new Map(wanted.map((schema, index) => [first < length ? from + index : index, schema]))
}

function firstOf(node: SchemaNode): readonly unknown[] {
  const first = own(node, 'prefixItems')
  return Array.isArray(first) ? first : []
}

function leastItems(nodes: readonly SchemaNode[]): number {
  return nodes.reduce((least, node) => Math.max(least, Number(own(node, 'minItems') ?? 0)), 0)
}

function lengthOf(nodes: readonly SchemaNode[], contained: number, making: Making, spot: Spot): number {
  const first = nodes.reduce((most, node) => Math.max(most, firstOf(node).length), 0)
  const isGenerous = !isFrugal(making, spot) && making.generosity > 0
  const least = Math.max(leastItems(nodes), contained)
  let most = Math.max(
    least,
    isGenerous ? Math.max(least, first) + between(making.random, first > 0 ? 0 : 1, MORE_ITEMS) : 0
  )
  for (const node of nodes) {
    most = Math.min(most, Number(own(node, 'maxItems') ?? Infinity))
    if (own(node, 'items') === false) most = Math.min(most, firstOf(node).length)
    if (most < least || least > MAX_ITEMS) throw deadEnd(making, node, most < least ? 'maxItems' : 'minItems')
  }
  return most
}

/** The same text for values that are the same. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  )
}
