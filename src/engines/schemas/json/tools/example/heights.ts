import type { Effort } from '../../../effort.ts'
import { isNode, isSchema, type JsonSchema, own, type SchemaNode } from '../../model.ts'
import { type PlainSchema, targetOf } from '../plain.ts'

/**
 * How many levels the smallest value of each schema has. A schema that needs a value of itself has none: those start
 * out as endless, and what is found to end makes others end, until nothing changes.
 */
export function heightsOf(plain: PlainSchema, effort: Effort): ReadonlyMap<JsonSchema, number> {
  const nodes = collect(plain, effort)
  const heights = new Map<JsonSchema, number>(nodes.map((node) => [node, Infinity]))
  const of = (schema: unknown) => (isNode(schema) ? (heights.get(schema) ?? 0) : schema === false ? Infinity : 0)
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const node of nodes) {
      effort.spend()
      const height = heightOf(node, plain, of)
      if (height === heights.get(node)) continue
      heights.set(node, height)
      isChanged = true
    }
  }
  return heights
}

const DATA = new Set(['enum', 'const', 'default', 'examples'])

/** What is inside comes before what it is in, so that most heights are right at once. */
function collect(plain: PlainSchema, effort: Effort): SchemaNode[] {
  const left: unknown[] = [plain.document]
  const nodes: SchemaNode[] = []
  while (left.length > 0) {
    effort.spend()
    const next = left.pop()
    if (isNode(next)) nodes.push(next)
    if (typeof next !== 'object' || next === null) continue
    for (const [keyword, value] of Object.entries(next)) if (!DATA.has(keyword)) left.push(value)
  }
  return nodes.reverse()
}

function heightOf(node: SchemaNode, plain: PlainSchema, of: (schema: unknown) => number): number {
  const alternatives = [own(node, 'anyOf'), own(node, 'oneOf')].filter(Array.isArray)
  return greatest([
    inside(node, of),
    ...listed(own(node, 'allOf')).map(of),
    ...alternatives.map((branches) => branches.map(of).reduce((one, other) => Math.min(one, other), Infinity)),
    Object.hasOwn(node, '$ref') ? of(targetOf(plain, node)) : 0
  ])
}

/** Of an object or an array, if the value has to be one. */
function inside(node: SchemaNode, of: (schema: unknown) => number): number {
  const types = [own(node, 'type') ?? []].flat()
  if (Object.hasOwn(node, 'const') || Object.hasOwn(node, 'enum')) return 0
  if (types.some((type) => type !== 'object' && type !== 'array')) return 0
  const properties = own(node, 'properties')
  const required = listed(own(node, 'required')).filter((name) => isNode(properties) && Object.hasOwn(properties, name))
  const members = required.map((name) => of((properties as SchemaNode)[name]))
  const least = Number(own(node, 'minItems') ?? 0)
  const items = own(node, 'items')
  const first = listed(own(node, 'prefixItems')).slice(0, least)
  const rest = isSchema(items) && least > first.length ? [of(items)] : []
  const inner = types[0] === 'array' ? [] : members
  const elements = types[0] === 'object' ? [] : [...first.map(of), ...rest]
  return inner.length + elements.length === 0 ? 0 : 1 + greatest([...inner, ...elements])
}

function listed(value: unknown): string[] {
  return Array.isArray(value) ? value : []
}

/** `Math.max` takes its values from the stack. */
function greatest(values: readonly number[]): number {
  return values.reduce((one, other) => Math.max(one, other), 0)
}
