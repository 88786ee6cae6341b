import { isDeepStrictEqual } from 'node:util'
import { own, type SchemaNode } from '../../model.ts'
import { isOfType } from '../types.ts'
import { deadEnd, type Making } from './making.ts'

/** What is looked at here, and what says nothing about a value or is looked at elsewhere. */
const SIMPLE = new Set(['type', 'enum', 'const', 'title', 'description', 'default', 'examples', '$ref'])

/** One of the values that a node lists and no other refuses. */
export function chooseListed(listing: SchemaNode, nodes: readonly SchemaNode[], making: Making): unknown {
  const keyword = Object.hasOwn(listing, 'const') ? 'const' : 'enum'
  const values = keyword === 'const' ? [listing.const] : (listing.enum as unknown[])
  const start = Math.floor(making.random() * values.length)
  for (let index = 0; index < values.length; index++) {
    making.effort.spend()
    const value = values[(start + index) % values.length]
    if (nodes.every((node) => isAllowed(value, node, making))) return value
  }
  throw deadEnd(making, listing, keyword)
}

function isAllowed(value: unknown, node: SchemaNode, making: Making): boolean {
  if (Object.keys(node).some((keyword) => !SIMPLE.has(keyword))) return making.validator.fitsNode(node, value)
  const [types, list] = [own(node, 'type'), own(node, 'enum')]
  if (types !== undefined && ![types].flat().some((type) => isOfType(value, type))) return false
  if (Object.hasOwn(node, 'const') && !isDeepStrictEqual(value, node.const)) return false
  return !Array.isArray(list) || list.some((each) => isDeepStrictEqual(value, each))
}
