import { type JsonSchema, own, type SchemaNode } from '../../model.ts'
import { makeArray } from './arrays.ts'
import { type Flat, flatten } from './flatten.ts'
import { chooseListed } from './listed.ts'
import { DeadEnd, deadEnd, type Making, pick, type Spot } from './making.ts'
import { makeNumber } from './numbers.ts'
import { makeObject } from './objects.ts'
import { makeString } from './strings.ts'
import { chooseType } from './types.ts'

/** Each with less that need not be there: it is often what is too much that does not fit. */
const GENEROSITY = [1, 1, 0.5, 0.5, 0.2, 0.2, 0, 0, 0, 0, 1, 1]
/** In all: repetitions within repetitions would take for ever. */
const MAX_REPEATED = 500
const MAX_DEPTH = 100
const GIVEN_CHANCE = 0.5
/** What is made so that it fits; a node with anything else is checked. */
const SAFE = new Set([
  ...['type', 'title', 'description', 'default', 'examples', '$ref', '$defs', 'allOf', 'enum', 'const'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['format', 'contentEncoding', 'contentMediaType', 'properties', 'required', 'additionalProperties', 'items'],
  ...['minItems', 'maxItems', 'prefixItems', 'minProperties', 'maxProperties', 'patternProperties', 'anyOf']
])

/** A value that fits all of the schemas. */
export function generate(schemas: readonly JsonSchema[], making: Making, spot: Spot): unknown {
  making.effort.spend()
  making.count.made++
  let last: DeadEnd | undefined
  for (const [attempt, generosity] of GENEROSITY.entries()) {
    let flat: Flat | undefined
    if (attempt > 0 && ++making.count.repeated > MAX_REPEATED) break
    try {
      flat = flatten(schemas, making, spot)
      if (spot.depth > MAX_DEPTH) throw deadEnd(making, flat.nodes[0])
      const value = make(flat.nodes, { ...making, generosity: making.generosity * generosity }, spot, attempt)
      const doubtful = flat.nodes.filter((node) => Object.keys(node).some((keyword) => !SAFE.has(keyword)))
      const refusing = doubtful.find((node) => !making.validator.fitsNode(node, value))
      if (refusing === undefined) return value
      last = deadEnd(making, refusing, keywordInDoubt(refusing))
    } catch (error) {
      if (!(error instanceof DeadEnd)) throw error
      last = error
      if (flat?.hadChoice === false && !isDoubtful(flat.nodes)) break
    }
  }
  throw last ?? new DeadEnd(undefined)
}

function isDoubtful(nodes: readonly SchemaNode[]): boolean {
  return nodes.some((node) => keywordInDoubt(node) !== undefined)
}

function keywordInDoubt(node: SchemaNode): string | undefined {
  return Object.keys(node).find((keyword) => !SAFE.has(keyword))
}

function make(nodes: readonly SchemaNode[], making: Making, spot: Spot, attempt: number): unknown {
  const listing = nodes.find((node) => Object.hasOwn(node, 'const') || Object.hasOwn(node, 'enum'))
  if (listing !== undefined) return chooseListed(listing, nodes, making)
  const given = nodes.flatMap((node) => [own(node, 'examples') ?? []].flat())
  if (given.length > 0 && making.random() < GIVEN_CHANCE) {
    const example = pick(making.random, given)
    if (nodes.every((node) => making.validator.fitsNode(node, example))) return example
  }
  const type = chooseType(nodes, making, spot, attempt)
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return making.random() < 0.5
    case 'integer':
    case 'number':
      return makeNumber(nodes, type === 'integer', making)
    case 'string':
      return makeString(nodes, making, spot)
    case 'array':
      return makeArray(nodes, making, spot, generate)
    case 'object':
      return makeObject(nodes, making, spot, generate)
  }
}
