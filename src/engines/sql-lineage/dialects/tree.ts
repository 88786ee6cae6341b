import { isNode, type Node } from '../duckdb/node.ts'

/** What has several kinds is an object with one name, that of the kind: `{ "BinaryOp": { … } }`, or that name alone. */
export function kindOf(item: unknown): { readonly kind: string; readonly value: unknown } | undefined {
  if (typeof item === 'string') return { kind: item, value: undefined }
  if (!isNode(item)) return undefined
  const [entry, ...more] = Object.entries(item)
  return entry !== undefined && more.length === 0 ? { kind: entry[0], value: entry[1] } : undefined
}

/** The value of the kind that is wanted. */
export const ofKind = (item: unknown, kind: string): unknown => {
  const found = kindOf(item)
  return found?.kind === kind ? found.value : undefined
}

export const listOf = (item: unknown): readonly unknown[] => (Array.isArray(item) ? item : [])

export const nodeOf = (item: unknown): Node => (isNode(item) ? item : {})

/** `{ "value": "name" }`. */
export const identifier = (item: unknown): string => {
  const { value } = nodeOf(item)
  return typeof value === 'string' ? value : ''
}

/** A list of identifiers, each alone or as `{ "Identifier": … }`. */
export const pathIn = (item: unknown): string[] =>
  listOf(item)
    .map((part) => identifier(ofKind(part, 'Identifier') ?? part))
    .filter((part) => part !== '')
