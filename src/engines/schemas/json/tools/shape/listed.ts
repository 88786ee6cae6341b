import { isDeepStrictEqual } from 'node:util'
import type { Shape } from '../../../shape.ts'
import { own, type SchemaNode } from '../../model.ts'
import { isOfType, typesSaid } from '../types.ts'
import { tidyName } from './names.ts'
import { textOf, unionOf, type Walk } from './walk.ts'

export function isListing(nodes: readonly SchemaNode[]): boolean {
  return nodes.some((node) => Object.hasOwn(node, 'enum') || Object.hasOwn(node, 'const'))
}

/** An enum where all values but null are strings; otherwise what kinds of values they are. */
export function listedShape(nodes: readonly SchemaNode[], walk: Walk): Shape {
  const lists = nodes.flatMap((node) => [
    ...(Object.hasOwn(node, 'const') ? [[own(node, 'const')]] : []),
    ...(Object.hasOwn(node, 'enum') ? [own(node, 'enum') as unknown[]] : [])
  ])
  const [first = [], ...others] = lists
  const allowed = first.filter((value) => others.every((list) => list.some((each) => isDeepStrictEqual(each, value))))
  const types = typesSaid(nodes)
  const values = types === undefined ? allowed : allowed.filter((value) => types.some((type) => isOfType(value, type)))
  const strings = values.filter((value) => typeof value === 'string')
  const rest = values.filter((value) => typeof value !== 'string' && value !== null)
  if (rest.length > 0) {
    const node = nodes.find((each) => Object.hasOwn(each, 'enum') || Object.hasOwn(each, 'const'))
    const keyword = node !== undefined && Object.hasOwn(node, 'enum') ? 'enum' : 'const'
    walk.lose(node, keyword, 'Which values are allowed is not said, only of which types they are.')
  }
  const name = tidyName(textOf(nodes, 'title') ?? '')
  return unionOf([
    ...(values.includes(null) ? [{ kind: 'null' } as const] : []),
    ...(strings.length > 0 ? [{ kind: 'enum', ...(name && { name }), values: [...new Set(strings)] } as const] : []),
    ...rest.map(shapeOfValue)
  ])
}

function shapeOfValue(value: unknown): Shape {
  if (typeof value === 'boolean') return { kind: 'boolean' }
  if (Number.isSafeInteger(value)) return { kind: 'integer', bits: 64, signed: true }
  if (typeof value === 'number') return { kind: 'number', bits: 64 }
  return { kind: 'any' }
}
