import type { Draft, JsonSchema } from './model.ts'
import type { Get, Making } from './translate.ts'
import type { ArrayTree, Tree } from './tree.ts'

export function arrayOf(making: Making, isTyped: boolean, get: Get, draft: Draft, beside: Tree | undefined): ArrayTree {
  const { prefix, rest, restKeyword, isTuple } = itemsOf(get, draft)
  const contains = containsOf(get)
  const unevaluated = get('unevaluatedItems') as JsonSchema | undefined
  // What `contains` has found counts as looked at.
  const isPlain = unevaluated !== undefined && rest === undefined && beside === undefined && contains === undefined
  return {
    ...making,
    kind: 'array',
    isTyped,
    prefix,
    prefixKeyword: draft === '2020-12' ? 'prefixItems' : 'items',
    rest: rest ?? (isPlain ? unevaluated : true),
    restKeyword: isPlain ? 'unevaluatedItems' : restKeyword,
    isTuple: isTuple || isPlain,
    minItems: (get('minItems') as number | undefined) ?? 0,
    maxItems: (get('maxItems') as number | undefined) ?? Number.POSITIVE_INFINITY,
    isUnique: get('uniqueItems') === true,
    contains,
    unevaluated:
      unevaluated === undefined || isPlain || rest !== undefined ? undefined : { schema: unevaluated, beside }
  }
}

interface Items {
  readonly prefix: readonly JsonSchema[]
  readonly rest: JsonSchema | undefined
  readonly restKeyword: string
  readonly isTuple: boolean
}

function itemsOf(get: Get, draft: Draft): Items {
  const items = get('items') as JsonSchema | JsonSchema[] | undefined
  if (draft === '2020-12') {
    const prefix = get('prefixItems') as JsonSchema[] | undefined
    const rest = items as JsonSchema | undefined
    return { prefix: prefix ?? [], rest, restKeyword: 'items', isTuple: prefix !== undefined }
  }
  if (!Array.isArray(items)) return { prefix: [], rest: items, restKeyword: 'items', isTuple: false }
  const rest = get('additionalItems') as JsonSchema | undefined
  return { prefix: items, rest, restKeyword: 'additionalItems', isTuple: true }
}

function containsOf(get: Get): ArrayTree['contains'] {
  const schema = get('contains') as JsonSchema | undefined
  if (schema === undefined) return undefined
  const min = (get('minContains') as number | undefined) ?? 1
  const max = (get('maxContains') as number | undefined) ?? Number.POSITIVE_INFINITY
  return { schema, min, max }
}
