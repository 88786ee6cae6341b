import { isSchema, type JsonSchema, own, type SchemaNode } from '../../model.ts'
import { between, deadEnd, isFrugal, type Making, type Spot } from './making.ts'
import { itemSchemas } from './member-schemas.ts'
import type { Generate } from './objects.ts'

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
      // Fewer are as good, if they may be.
      if (index >= leastOf(nodes)) break
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

function leastOf(nodes: readonly SchemaNode[]): number {
  return nodes.reduce((least, node) => Math.max(least, Number(own(node, 'minItems') ?? 0)), 0)
}

function lengthOf(nodes: readonly SchemaNode[], contained: number, making: Making, spot: Spot): number {
  const first = nodes.reduce((most, node) => Math.max(most, firstOf(node).length), 0)
  const isGenerous = !isFrugal(making, spot) && making.generosity > 0
  const least = Math.max(leastOf(nodes), contained)
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
