import { isNode, isSchema, type JsonSchema, own, type SchemaNode } from '../../model.ts'
import { targetOf } from '../plain.ts'
import { deadEnd, isFrugal, type Making, pick, type Spot } from './making.ts'

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

/** Not exact; it spares attempts. */
function isOfOtherType(branch: JsonSchema, types: readonly unknown[]): boolean {
  const type = isNode(branch) ? own(branch, 'type') : undefined
  return (
    typeof type === 'string' && types.length === 1 && types[0] !== type && type !== 'integer' && types[0] !== 'integer'
  )
}
