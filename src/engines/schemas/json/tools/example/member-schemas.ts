import { isNode, isSchema, type JsonSchema, own, type SchemaNode } from '../../model.ts'
import { makePattern } from '../make-pattern.ts'

/** What all nodes together ask of the property with a name. */
export function memberSchemas(nodes: readonly SchemaNode[], name: string): JsonSchema[] {
  const schemas: JsonSchema[] = []
  let isKnown = false
  for (const node of nodes) {
    const found = declared(node, name)
    const other = found.length === 0 ? own(node, 'additionalProperties') : undefined
    if (isSchema(other)) found.push(other)
    isKnown ||= found.length > 0
    schemas.push(...found)
  }
  if (isKnown) return schemas
  return nodes.map((node) => own(node, 'unevaluatedProperties')).filter(isSchema)
}

function declared(node: SchemaNode, name: string): JsonSchema[] {
  const [properties, patterns] = [own(node, 'properties'), own(node, 'patternProperties')]
  const named = isNode(properties) ? own(properties, name) : undefined
  const matching = isNode(patterns) ? Object.keys(patterns).filter((pattern) => makePattern(pattern).test(name)) : []
  return [named, ...matching.map((pattern) => own(patterns as SchemaNode, pattern))].filter(isSchema)
}

/** The same of the item with an index. */
export function itemSchemas(nodes: readonly SchemaNode[], index: number): JsonSchema[] {
  const schemas: JsonSchema[] = []
  for (const node of nodes) {
    const first = own(node, 'prefixItems')
    const length = Array.isArray(first) ? first.length : 0
    const schema = index < length ? (first as JsonSchema[])[index] : own(node, 'items')
    if (isSchema(schema)) schemas.push(schema)
  }
  if (schemas.length > 0) return schemas
  return nodes.map((node) => own(node, 'unevaluatedItems')).filter(isSchema)
}
