import type { Draft } from './model.ts'
import type { Get, Making } from './translate.ts'
import type { Bound, NumberTree, StringTree } from './tree.ts'

const CONTENT = ['contentEncoding', 'contentMediaType', 'contentSchema']

export function stringOf(making: Making, isTyped: boolean, get: Get): StringTree {
  const content = CONTENT.flatMap((keyword): [string, unknown][] => {
    const value = get(keyword)
    return value === undefined ? [] : [[keyword, value]]
  })
  return {
    ...making,
    kind: 'string',
    isTyped,
    minLength: (get('minLength') as number | undefined) ?? 0,
    maxLength: (get('maxLength') as number | undefined) ?? Number.POSITIVE_INFINITY,
    pattern: get('pattern') as string | undefined,
    format: get('format') as string | undefined,
    content: new Map(content)
  }
}

export function numberOf(making: Making, isTyped: boolean, isInteger: boolean, get: Get, draft: Draft): NumberTree {
  const [lower, upper] = [boundOf('minimum', get, draft), boundOf('maximum', get, draft)]
  const multipleOf = get('multipleOf') as number | undefined
  return { ...making, kind: 'number', isTyped, isInteger, lower, upper, multipleOf }
}

/** The tighter of the two there can be. Draft 04 says by a flag that a bound is exclusive. */
function boundOf(keyword: 'minimum' | 'maximum', get: Get, draft: Draft): Bound | undefined {
  const value = get(keyword) as number | undefined
  const exclusive = get(keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum') as number | boolean | undefined
  if (draft === 'draft-04') return value === undefined ? undefined : { value, isExclusive: exclusive === true }
  if (typeof exclusive !== 'number') return value === undefined ? undefined : { value, isExclusive: false }
  const isTighter = value === undefined || (keyword === 'minimum' ? exclusive >= value : exclusive <= value)
  return isTighter ? { value: exclusive, isExclusive: true } : { value, isExclusive: false }
}
