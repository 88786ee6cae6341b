/** A part of a tree of `json_serialize_sql`. Nothing about it is sure: it may be one that DuckDB never made. */
export type Node = Readonly<Record<string, unknown>>

export const isNode = (item: unknown): item is Node => typeof item === 'object' && item !== null && !Array.isArray(item)

export const nodesIn = (item: unknown): Node[] => (Array.isArray(item) ? item.filter(isNode) : [])

export const textsIn = (item: unknown): string[] =>
  Array.isArray(item) ? item.filter((one): one is string => typeof one === 'string') : []

export const textOf = (item: unknown): string => (typeof item === 'string' ? item : '')

/** Null where there is none: DuckDB leaves such names empty. */
export const nameIn = (item: unknown): string | null => (typeof item === 'string' && item !== '' ? item : null)

/** A name with its qualifiers, without those that are not given. */
export const pathOf = (...parts: unknown[]): string[] => parts.map(textOf).filter((part) => part !== '')

const isConstant = (node: unknown): node is Node => isNode(node) && node.class === 'CONSTANT'

/** The value of a constant; null for NULL and for what is no constant. */
export function constantIn(node: unknown): string | number | boolean | null {
  const value = isConstant(node) && isNode(node.value) ? node.value.value : null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
