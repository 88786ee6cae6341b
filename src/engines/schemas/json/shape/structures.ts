import type { Effort } from '../../fault.ts'
import type { FieldShape, RecordShape, Shape } from '../../format.ts'
import { isNode, isSchema, type JsonSchema, own, type SchemaNode } from '../model.ts'
import { type PlainSchema, targetOf } from '../values/plain.ts'
import { type At, listOf, mapOf, nameOf, textOf, tidyName, unionOf, type Walk } from './to-shape.ts'

type ShapeOf = (schemas: readonly JsonSchema[], walk: Walk, at: At) => Shape

export function shapeOfArray(nodes: readonly SchemaNode[], walk: Walk, at: At, shapeOf: ShapeOf): Shape {
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

export function shapeOfObject(
  nodes: readonly SchemaNode[],
  heads: readonly SchemaNode[],
  walk: Walk,
  at: At,
  shapeOf: ShapeOf
): Shape {
  const names = namesOf(nodes)
  const others = nodes.flatMap((node) => [
    own(node, 'additionalProperties'),
    ...Object.values(mapOf(node, 'patternProperties'))
  ])
  const schemas = others.filter(isSchema).filter((schema) => schema !== false)
  if (names.length === 0 && !isClosed(nodes)) {
    return map(nodes, schemas, walk, at, shapeOf)
  }
  return record(names, nodes, heads, walk, at, shapeOf)
}

function map(
  nodes: readonly SchemaNode[],
  schemas: readonly JsonSchema[],
  walk: Walk,
  at: At,
  shapeOf: ShapeOf
): Shape {
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
  at: At,
  shapeOf: ShapeOf
): RecordShape {
  const [key, wish] = [walk.keyOf(heads), nameOf(heads, walk.plain)]
  const enclosing = { name: walk.names.of(key, wish ?? at.hint), isReferredTo: false }
  walk.records.set(key, enclosing)
  const fields = names.map((name) => field(name, nodes, walk, at, shapeOf)).filter((each) => each !== undefined)
  walk.records.delete(key)
  const isOpen = !isClosed(nodes)
  loseOthers(nodes, walk)
  const doc = at.isField ? undefined : textOf(nodes, 'description')
  return {
    kind: 'record',
    ...(wish !== undefined || enclosing.isReferredTo ? { name: enclosing.name } : {}),
    ...(doc === undefined ? {} : { doc }),
    fields,
    open: isOpen
  }
}

function field(
  name: string,
  nodes: readonly SchemaNode[],
  walk: Walk,
  at: At,
  shapeOf: ShapeOf
): FieldShape | undefined {
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
    textOf(direct, 'description') ??
    (shape.kind === 'record' || shape.kind === 'enum' ? undefined : textOf(direct, 'title'))
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

/** Names that fit a pattern are allowed even so, and which can't be said. */
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

/** Schemas that hold for one value at once. */
export interface Parts {
  readonly nodes: readonly SchemaNode[]
  /** What the others come from, references followed: the same wherever the same is referred to. */
  readonly heads: readonly SchemaNode[]
  readonly isImpossible: boolean
}

/** What can stand beside a reference that is nothing but one. */
const BESIDE = new Set([
  '$ref',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly'
])

/** Follows references and `allOf`; alternatives are left. */
export function partsOf(schemas: readonly JsonSchema[], plain: PlainSchema, effort: Effort): Parts {
  const heads = new Set(schemas.map((schema) => headOf(schema, plain, effort)))
  const nodes = new Set<SchemaNode>()
  const left: JsonSchema[] = schemas.toReversed()
  let isImpossible = false
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    effort.spend()
    if (next === false) isImpossible = true
    if (!isNode(next) || nodes.has(next)) continue
    nodes.add(next)
    const all = own(next, 'allOf')
    if (Array.isArray(all)) for (const each of all.toReversed()) left.push(each)
    const target = targetOf(plain, next)
    if (target !== undefined) left.push(target)
  }
  return { nodes: [...nodes], heads: [...heads].filter(isNode), isImpossible }
}

/** The schema that a mere reference stands for. References never go round in circles. */
function headOf(schema: JsonSchema, plain: PlainSchema, effort: Effort): JsonSchema {
  let next = schema
  while (isMereReference(next)) {
    effort.spend()
    next = targetOf(plain, next) ?? true
  }
  return next
}

function isMereReference(schema: JsonSchema): schema is SchemaNode {
  if (!isNode(schema) || !Object.hasOwn(schema, '$ref')) return false
  return Object.keys(schema).every((keyword) => BESIDE.has(keyword))
}

/** What says nothing about the kind of a value. */
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
export function alternativesOf(
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
