import type { Effort } from '../../fault.ts'
import type { Converted, FieldShape, RecordShape, Shape } from '../../format.ts'
import { isNode, isSchema, type JsonModel, type JsonSchema, own, type SchemaNode } from '../model.ts'
import { makePlain, typesMeant, typesSaid } from '../values/plain.ts'
import { isListing, listedShape, loseKeywords, shapeOfNumber, shapeOfString } from './scalars.ts'
import { type At, listOf, mapOf, nameOf, TOP, textSaid, tidyName, unionOf, Walk } from './walk.ts'

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
    if (type === 'array') return shapeOfArray(nodes, walk, at)
    if (type === 'object') return shapeOfObject(nodes, heads, walk, at)
    return { kind: type }
  })
  const doc = textSaid(nodes, 'description')
  if (doc !== undefined && !at.isField && !shapes.some(({ kind }) => kind === 'record')) {
    walk.lose(
      nodes.find((node) => Object.hasOwn(node, 'description')),
      'description',
      'The description is left out.'
    )
  }
  return unionOf(shapes)
}

/** Keywords of alternatives that only set conditions, and don't say what a value is. */
const MERE_CONDITIONS = new Set([
  'required',
  'not',
  'title',
  'description',
  'minProperties',
  'maxProperties',
  'if',
  'then',
  'else'
])

/** The alternatives among schemas that hold at once, and what holds beside each of them. */
function alternativesOf(
  nodes: readonly SchemaNode[],
  walk: Walk
): { readonly branches: readonly JsonSchema[]; readonly others: readonly SchemaNode[] } | undefined {
  let found: readonly JsonSchema[] | undefined
  for (const node of nodes) {
    for (const keyword of ['oneOf', 'anyOf']) {
      const branches = listOf(node, keyword)
      if (branches === undefined) continue
      if (branches.every(isMereCondition)) walk.lose(node, keyword, `The conditions in "${keyword}" are not said.`)
      else if (found !== undefined) walk.lose(node, keyword, 'Alternatives beside other alternatives are not said.')
      else found = branches
    }
  }
  if (found === undefined) return undefined
  // References and `allOf` were followed before.
  const others = nodes.map((node) => walk.without(node, ['anyOf', 'oneOf', '$ref', 'allOf', '$defs']))
  return { branches: found, others: others.filter((node) => Object.keys(node).length > 0) }
}

function isMereCondition(schema: JsonSchema): boolean {
  return !isNode(schema) || Object.keys(schema).every((keyword) => MERE_CONDITIONS.has(keyword))
}

function shapeOfArray(nodes: readonly SchemaNode[], walk: Walk, at: At): Shape {
  const inside = { ...at, depth: at.depth + 1, isField: false }
  const items = nodes.map((node) => own(node, 'items')).filter(isSchema)
  const tuple = nodes.find((node) => listOf(node, 'prefixItems') !== undefined)
  if (tuple === undefined)
    return { kind: 'list', items: items.length === 0 ? { kind: 'any' } : shapeOf(items, walk, inside) }
  walk.lose(tuple, 'prefixItems', 'Which item stands where is not said, only what items there can be.')
  const first = nodes.flatMap((node) => listOf(node, 'prefixItems') ?? [])
  const rest = items.includes(false) ? [] : items.length === 0 ? [true] : items
  return { kind: 'list', items: unionOf([...first, ...rest].map((item) => shapeOf([item], walk, inside))) }
}

function shapeOfObject(nodes: readonly SchemaNode[], heads: readonly SchemaNode[], walk: Walk, at: At): Shape {
  const names = namesOf(nodes)
  const others = nodes.flatMap((node) => [
    own(node, 'additionalProperties'),
    ...Object.values(mapOf(node, 'patternProperties'))
  ])
  const schemas = others.filter(isSchema).filter((schema) => schema !== false)
  if (names.length === 0 && !isClosed(nodes)) {
    return map(nodes, schemas, walk, at)
  }
  return record(names, nodes, heads, walk, at)
}

function map(nodes: readonly SchemaNode[], schemas: readonly JsonSchema[], walk: Walk, at: At): Shape {
  const inside = { ...at, depth: at.depth + 1, isField: false }
  const pattern = nodes.find((node) => Object.keys(mapOf(node, 'patternProperties')).length > 0)
  if (pattern !== undefined) walk.lose(pattern, 'patternProperties', 'What names have to look like is not said.')
  if (schemas.length === 0) return { kind: 'map', values: { kind: 'any' } }
  const isOpen = pattern !== undefined && !nodes.some((node) => Object.hasOwn(node, 'additionalProperties'))
  if (isOpen) return { kind: 'map', values: { kind: 'any' } }
  return { kind: 'map', values: unionOf(schemas.map((schema) => shapeOf([schema], walk, inside))) }
}

function record(
  names: readonly string[],
  nodes: readonly SchemaNode[],
  heads: readonly SchemaNode[],
  walk: Walk,
  at: At
): RecordShape {
  const [key, wish] = [walk.keyOf(heads), nameOf(heads, walk.plain)]
  const enclosing = { name: walk.names.of(key, wish ?? at.hint), isReferredTo: false }
  walk.records.set(key, enclosing)
  const fields = names.map((name) => field(name, nodes, walk, at)).filter((each) => each !== undefined)
  walk.records.delete(key)
  const isOpen = !isClosed(nodes)
  loseOthers(nodes, walk)
  const doc = at.isField ? undefined : textSaid(nodes, 'description')
  return {
    kind: 'record',
    ...(wish !== undefined || enclosing.isReferredTo ? { name: enclosing.name } : {}),
    ...(doc === undefined ? {} : { doc }),
    fields,
    open: isOpen
  }
}

function field(name: string, nodes: readonly SchemaNode[], walk: Walk, at: At): FieldShape | undefined {
  const schemas = nodes.map((node) => own(mapOf(node, 'properties'), name)).filter(isSchema)
  if (schemas.includes(false)) {
    const node = nodes.find((each) => own(mapOf(each, 'properties'), name) === false)
    walk.lose(node, 'properties', `That there is no property ${JSON.stringify(name).slice(0, 60)} is not said.`)
    return undefined
  }
  const hint = tidyName(name) ?? 'Record'
  const inside = {
    depth: at.depth + 1,
    met: new Set<string>(),
    isField: true,
    hint: hint.charAt(0).toUpperCase() + hint.slice(1)
  }
  const shape = schemas.length === 0 ? ({ kind: 'any' } as const) : shapeOf(schemas, walk, inside)
  const direct = schemas.filter(isNode)
  const doc =
    textSaid(direct, 'description') ??
    (shape.kind === 'record' || shape.kind === 'enum' ? undefined : textSaid(direct, 'title'))
  const holder = direct.find((node) => Object.hasOwn(node, 'default'))
  const required = nodes.some((node) => [own(node, 'required') ?? []].flat().includes(name))
  return {
    name,
    ...(doc === undefined ? {} : { doc }),
    shape,
    optional: !required,
    ...(holder === undefined ? {} : { default: own(holder, 'default') })
  }
}

/** Those with a schema in the order in which they stand, then those that only have to be there. */
function namesOf(nodes: readonly SchemaNode[]): string[] {
  const names = new Set(nodes.flatMap((node) => Object.keys(mapOf(node, 'properties'))))
  for (const node of nodes) for (const name of [own(node, 'required') ?? []].flat()) names.add(name as string)
  return [...names]
}

/** Whether no other properties are allowed. `patternProperties` allow some, and a shape can't say which. */
function isClosed(nodes: readonly SchemaNode[]): boolean {
  if (nodes.some((node) => Object.keys(mapOf(node, 'patternProperties')).length > 0)) return false
  return nodes.some(
    (node) => own(node, 'additionalProperties') === false || own(node, 'unevaluatedProperties') === false
  )
}

function loseOthers(nodes: readonly SchemaNode[], walk: Walk): void {
  for (const node of nodes) {
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      if (isNode(own(node, keyword))) walk.lose(node, keyword, 'What other properties have to be is not said.')
    }
    if (Object.keys(mapOf(node, 'patternProperties')).length > 0) {
      walk.lose(node, 'patternProperties', 'What properties with certain names have to be is not said.')
    }
  }
}
