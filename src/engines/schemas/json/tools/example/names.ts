import { isNode, isSchema, own, type SchemaNode } from '../../model.ts'
import { word } from './formats.ts'
import { between, DeadEnd, type Making, pick, type Spot } from './making.ts'
import type { Generate } from './objects.ts'
import { readPattern } from './pattern.ts'
import { textOf } from './pattern-text.ts'

/** A name that no property has yet, of the kind that the schema speaks of; undefined where this attempt found none. */
export function inventName(
  nodes: readonly SchemaNode[],
  making: Making,
  spot: Spot,
  taken: ReadonlyMap<string, unknown>,
  generate: Generate
): string | undefined {
  const names = [
    fromDeclared(nodes, making),
    ...fromNameSchemas(nodes, making, spot, generate),
    fromPatterns(nodes, making)
  ]
  const usable = names.filter((name) => name !== undefined).filter((name) => !taken.has(name))
  if (usable.length > 0) return pick(making.random, usable)
  const name = `${word(making.random)}${taken.size === 0 ? '' : between(making.random, 1, 99)}`
  return taken.has(name) ? undefined : name
}

function fromDeclared(nodes: readonly SchemaNode[], making: Making): string | undefined {
  const declared = nodes.flatMap((node) => {
    const properties = own(node, 'properties')
    return isNode(properties) ? Object.keys(properties) : []
  })
  return declared.length === 0 ? undefined : pick(making.random, declared)
}

function fromPatterns(nodes: readonly SchemaNode[], making: Making): string | undefined {
  const patterns = nodes.flatMap((node) => {
    const named = own(node, 'patternProperties')
    return isNode(named) ? Object.keys(named) : []
  })
  const pattern = patterns.length === 0 ? undefined : readPattern(pick(making.random, patterns))
  return pattern === undefined ? undefined : textOf(pattern, making.random, 3)
}

function fromNameSchemas(nodes: readonly SchemaNode[], making: Making, spot: Spot, generate: Generate): string[] {
  const schemas = nodes.map((node) => own(node, 'propertyNames')).filter(isSchema)
  if (schemas.length === 0) return []
  try {
    return [String(generate([...schemas, { type: 'string' }], making, { name: '', depth: spot.depth + 1 }))]
  } catch (error) {
    if (error instanceof DeadEnd) return []
    throw error
  }
}
