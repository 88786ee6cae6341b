import { folded } from '../names.ts'
import type { Expression, Star } from '../query.ts'
import { constantIn, isNode, type Node, nodesIn, pathOf, textOf } from './node.ts'
import { likePattern, safePattern } from './patterns.ts'

type Read = (node: unknown) => Expression
type IsMeant = (name: string) => boolean

/** `*` with what it leaves out, replaces and renames, and COLUMNS(…). */
export function readStar(node: Node, read: Read): Expression {
  const table = pathOf(node.relation_name)
  const star: Star = {
    kind: 'star',
    table,
    excluded: [
      ...(Array.isArray(node.exclude_list) ? node.exclude_list : []),
      ...nodesIn(node.qualified_exclude_list)
    ].map(columnPath),
    replaced: nodesIn(node.replace_list).map(({ key, value }) => ({ name: textOf(key), expression: read(value) })),
    renamed: nodesIn(node.rename_list).map(({ key, value }) => ({ path: columnPath(key), name: textOf(value) })),
    isMeant: null,
    isUnpacked: false
  }
  if (!isNode(node.expr)) return star
  const isMeant = choice(node.expr)
  if (isMeant === undefined) return { kind: 'unknown', what: 'Which columns COLUMNS(…) stands for.' }
  return { ...star, isMeant }
}

const columnPath = (item: unknown): string[] =>
  isNode(item) ? [...pathOf(item.catalog, item.schema, item.table), textOf(item.column)] : [textOf(item)]

/** What chooses columns in COLUMNS(…): a pattern, a list of names, or a lambda with one comparison. */
function choice(node: Node): IsMeant | undefined {
  const pattern = constantIn(node)
  if (typeof pattern === 'string') return safePattern(pattern, 'part')
  if (node.class !== 'FUNCTION') return undefined
  const name = folded(textOf(node.function_name))
  const [first, second] = nodesIn(node.children)
  if (name === 'list_value') {
    const names = nodesIn(node.children).map(constantIn)
    if (!names.every((one) => typeof one === 'string')) return undefined
    return (column) => names.some((one) => folded(one) === folded(column))
  }
  if (name !== 'list_filter' || first?.class !== 'STAR' || second?.class !== 'LAMBDA') return undefined
  return isNode(second.expr) ? comparison(second.expr, 'COLUMN_REF') : undefined
}

/** `* LIKE 'a%'` and its like. */
export function starWithPattern(node: Node, read: Read): Expression | undefined {
  const isNot = node.class === 'OPERATOR' && node.type === 'OPERATOR_NOT'
  const inner = isNot ? nodesIn(node.children)[0] : node
  if (inner === undefined || inner.class !== 'FUNCTION' || inner.is_operator === undefined) return undefined
  const [star] = nodesIn(inner.children)
  if (star?.class !== 'STAR' || star.columns === true || star.expr !== null) return undefined
  const isMeant = comparison(node, 'STAR')
  if (isMeant === undefined) return { kind: 'unknown', what: 'Which columns a pattern after * stands for.' }
  const all = readStar(star, read)
  return all.kind === 'star' ? { ...all, isMeant } : all
}

/** A comparison of a name, which stands first, with a text. */
function comparison(node: Node, subject: 'COLUMN_REF' | 'STAR'): IsMeant | undefined {
  if (node.class === 'OPERATOR' && node.type === 'OPERATOR_NOT') {
    const [child] = nodesIn(node.children)
    const isMeant = child && comparison(child, subject)
    return isMeant && ((name) => !isMeant(name))
  }
  const [first, second] = node.class === 'COMPARISON' ? [node.left, node.right] : nodesIn(node.children)
  const value = constantIn(second)
  if (!isNode(first) || first.class !== subject || typeof value !== 'string') return undefined
  if (node.type === 'COMPARE_EQUAL') return (name) => name === value
  if (node.type === 'COMPARE_NOTEQUAL') return (name) => name !== value
  return node.class === 'FUNCTION' ? patternOf(textOf(node.function_name), value) : undefined
}

function patternOf(operator: string, value: string): IsMeant | undefined {
  const isNot = operator.startsWith('!')
  const isMeant = positive(isNot ? operator.slice(1) : operator, value)
  return isMeant && (isNot ? (name) => !isMeant(name) : isMeant)
}

function positive(operator: string, value: string): IsMeant | undefined {
  if (operator === '~~') return likePattern(value, '')
  if (operator === '~~*') return likePattern(value, 'i')
  if (operator === 'regexp_full_match') return safePattern(value, 'whole')
  if (operator === 'regexp_matches') return safePattern(value, 'part')
  if (operator === 'starts_with' || operator === 'prefix') return (name) => name.startsWith(value)
  if (operator === 'ends_with' || operator === 'suffix') return (name) => name.endsWith(value)
  if (operator === 'contains') return (name) => name.includes(value)
  return undefined
}
