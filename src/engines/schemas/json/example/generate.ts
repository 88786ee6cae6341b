import { pick, type Random } from '../../../seeded-random.ts'
import { type Effort, SchemaFault } from '../../fault.ts'
import { isNode, type JsonModel, type JsonSchema, own, type SchemaNode } from '../model.ts'
import { type PlainPlace, type PlainSchema, type Type, textOfPlace, typesMeant, typesSaid } from '../values/plain.ts'
import { type Validator, validatorOf } from '../values/validator.ts'
import {
  chooseListed,
  DeadEnd,
  deadEnd,
  type Flat,
  flatten,
  heightsOf,
  isFrugal,
  type Making,
  type Spot
} from './making.ts'
import { makeNumber, makeString } from './scalars.ts'
import { makeArray, makeObject } from './structures.ts'

/** Attempts at a whole value. Later ones add fewer optional parts. */
const ATTEMPTS = 12

/** A value that fits the schema. It is checked: what is made with regard to each keyword alone may not fit all of them. */
export function example(model: JsonModel, random: Random, effort: Effort): unknown {
  const validator = validatorOf(model, effort)
  const { plain } = validator
  const heights = heightsOf(plain, effort)
  if (heights.get(plain.document) === Infinity) {
    throw unsupported(
      'Values of the schema never end: it asks for a value of itself within each',
      plain.placeOf(plain.document)
    )
  }
  let place: PlainPlace | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const generosity = Math.max(0, 1 - attempt / (ATTEMPTS / 2))
    const making = { validator, plain, random, effort, heights, generosity, count: { made: 0, repeated: 0 } }
    try {
      const value = generate([plain.document], making, { name: '', depth: 0 })
      if (validator.fits(value)) return value
      place = placeOfError(validator, value)
    } catch (error) {
      if (!(error instanceof DeadEnd)) throw error
      place = error.place
    }
  }
  const where = place === undefined ? '' : ` at ${textOfPlace(place) || 'the top'}`
  throw unsupported(`No example was found: nothing that was tried fits what the schema says${where}`, place)
}

function unsupported(message: string, place: PlainPlace | undefined): SchemaFault {
  return new SchemaFault('unsupported', message, place)
}

function placeOfError(validator: Validator, value: unknown): PlainPlace | undefined {
  const [error] = validator.errorsOf(value, true)
  return error === undefined ? undefined : originOf(validator.plain, error.schemaPath)
}

/** The path is one in the plain schema; the place is that of the innermost node on it that was taken from the schema. */
function originOf(plain: PlainSchema, path: string): PlainPlace | undefined {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
  let place: PlainPlace | undefined
  let node: unknown = plain.document
  for (const step of steps) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) break
    if (isNode(node)) place = plain.placeOf(node, step) ?? place
    node = (node as SchemaNode)[step]
  }
  return place
}

/** The generosity of each attempt. Later ones add fewer optional parts, since these often are what does not fit. */
const GENEROSITY = [1, 1, 0.5, 0.5, 0.2, 0.2, 0, 0, 0, 0, 1, 1]
/** The repeated attempts for one whole value. Nested ones would take for ever without a limit. */
const MAX_REPEATED = 500
const MAX_DEPTH = 100
const GIVEN_CHANCE = 0.5
/** Keywords for which values are made so that they fit. Values for a node with any other keyword are checked. */
const SAFE = new Set([
  ...['type', 'title', 'description', 'default', 'examples', '$ref', '$defs', 'allOf', 'enum', 'const'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['format', 'contentEncoding', 'contentMediaType', 'properties', 'required', 'additionalProperties', 'items'],
  ...['minItems', 'maxItems', 'prefixItems', 'minProperties', 'maxProperties', 'patternProperties', 'anyOf']
])

/** A value that fits all of the schemas. */
function generate(schemas: readonly JsonSchema[], making: Making, spot: Spot): unknown {
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

const ALL: readonly Type[] = ['string', 'integer', 'boolean', 'object', 'array', 'number', 'null']
const SMALL = new Set<Type>(['null', 'boolean', 'integer', 'number', 'string'])
const NULL_CHANCE = 0.15
const OTHER_TYPE_CHANCE = 0.8

function chooseType(nodes: readonly SchemaNode[], making: Making, spot: Spot, attempt: number): Type {
  const allowed = typesSaid(nodes)
  if (allowed?.length === 0) {
    throw deadEnd(
      making,
      nodes.findLast((node) => Object.hasOwn(node, 'type')),
      'type'
    )
  }
  const meant = typesMeant(nodes).filter((type) => allowed === undefined || allowed.includes(type))
  if (allowed === undefined) return withoutTypes(meant, making, attempt)
  if (isFrugal(making, spot)) {
    const small = allowed.filter((type) => SMALL.has(type))
    if (small.length > 0) return pick(making.random, small)
  }
  const types = allowed.filter((type) => type !== 'null')
  if (types.length < allowed.length && (types.length === 0 || making.random() < NULL_CHANCE)) return 'null'
  return pick(making.random, meant.length > 0 && attempt === 0 ? meant : types)
}

function withoutTypes(meant: readonly Type[], making: Making, attempt: number): Type {
  if (attempt > 1 && making.random() < OTHER_TYPE_CHANCE) return pick(making.random, ALL)
  return meant.length > 0 ? pick(making.random, meant) : 'string'
}
