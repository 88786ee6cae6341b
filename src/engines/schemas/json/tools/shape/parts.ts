import type { Effort } from '../../../effort.ts'
import { isNode, type JsonSchema, own, type SchemaNode } from '../../model.ts'
import { type PlainSchema, targetOf } from '../plain.ts'

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
