import { isNode, type JsonSchema, type SchemaNode } from '../../model.ts'
import { listOf, type Walk } from './walk.ts'

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
