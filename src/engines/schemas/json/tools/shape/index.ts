import type { Effort } from '../../../effort.ts'
import type { Converted } from '../../../format.ts'
import type { Shape } from '../../../shape.ts'
import type { JsonModel, JsonSchema, SchemaNode } from '../../model.ts'
import { makePlain } from '../make-plain.ts'
import { typesMeant, typesSaid } from '../types.ts'
import { alternativesOf } from './alternatives.ts'
import { isListing, listedShape } from './listed.ts'
import { loseKeywords } from './lost-keywords.ts'
import { shapeOfNumber, shapeOfString } from './scalars.ts'
import { shapeOfArray, shapeOfObject } from './structures.ts'
import { type At, TOP, textOf, unionOf, Walk } from './walk.ts'

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
    if (type === 'array') return shapeOfArray(nodes, walk, at, shapeOf)
    if (type === 'object') return shapeOfObject(nodes, heads, walk, at, shapeOf)
    return { kind: type }
  })
  const doc = textOf(nodes, 'description')
  if (doc !== undefined && !at.isField && !shapes.some(({ kind }) => kind === 'record')) {
    walk.lose(
      nodes.find((node) => Object.hasOwn(node, 'description')),
      'description',
      'The description is left out.'
    )
  }
  return unionOf(shapes)
}
