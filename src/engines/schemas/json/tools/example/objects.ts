import { isNode, isSchema, type JsonSchema, own, type SchemaNode } from '../../model.ts'
import { flatten } from './flatten.ts'
import { between, DeadEnd, deadEnd, isFrugal, type Making, type Spot } from './making.ts'
import { memberSchemas } from './member-schemas.ts'
import { inventName } from './names.ts'

export type Generate = (schemas: readonly JsonSchema[], making: Making, spot: Spot) => unknown

const OPTIONAL_CHANCE = 0.75
const MAX_PROPERTIES = 1000
const MAX_ROUNDS = 10
const MAX_MAP_ENTRIES = 3
const INVENTIONS = 5

export function makeObject(given: readonly SchemaNode[], making: Making, spot: Spot, generate: Generate): object {
  const { nodes, names, required } = chooseNames(given, making, spot)
  const inner = (name: string) => ({ name, depth: spot.depth + 1 })
  const least = leastOf(nodes, making, spot)
  const entries = new Map<string, unknown>()
  for (const name of names) {
    const schemas = memberSchemas(nodes, name)
    if (schemas.includes(false)) throw deadEnd(making, asking(nodes, name), 'required')
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
function asking(nodes: readonly SchemaNode[], name: string): SchemaNode | undefined {
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
function leastOf(nodes: readonly SchemaNode[], making: Making, spot: Spot) {
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
