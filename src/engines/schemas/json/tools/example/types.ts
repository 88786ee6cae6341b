import type { SchemaNode } from '../../model.ts'
import { type Type, typesMeant, typesSaid } from '../types.ts'
import { deadEnd, isFrugal, type Making, pick, type Spot } from './making.ts'

const ALL: readonly Type[] = ['string', 'integer', 'boolean', 'object', 'array', 'number', 'null']
const SMALL = new Set<Type>(['null', 'boolean', 'integer', 'number', 'string'])
const NULL_CHANCE = 0.15
const OTHER_TYPE_CHANCE = 0.8

export function chooseType(nodes: readonly SchemaNode[], making: Making, spot: Spot, attempt: number): Type {
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
