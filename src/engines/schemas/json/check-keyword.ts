import type { Form } from './keywords.ts'
import { type Draft, isNode } from './model.ts'
import { isPattern } from './patterns.ts'

const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** What a value has to be, where it is not; undefined where all is well. Schemas within are checked on their own. */
export function faultOfKeyword(form: Form, value: unknown, draft: Draft): string | undefined {
  return CHECKS[form](value, draft)
}

type Check = (value: unknown, draft: Draft) => string | undefined

const CHECKS: Record<Form, Check> = {
  any: () => undefined,
  text: (value) => (typeof value === 'string' ? undefined : 'has to be a text'),
  flag: (value) => (typeof value === 'boolean' ? undefined : 'has to be true or false'),
  flags: (value) => (isNode(value) ? undefined : 'has to be an object'),
  number: (value) => (typeof value === 'number' ? undefined : 'has to be a number'),
  positive: (value) => (typeof value === 'number' && value > 0 ? undefined : 'has to be a number above 0'),
  count: (value) => (Number.isInteger(value) && (value as number) >= 0 ? undefined : 'has to be a whole number from 0'),
  names: (value) => (isNames(value) ? undefined : 'has to be a list of texts, each once'),
  'map-of-names': (value) =>
    isNode(value) && Object.values(value).every(isNames) ? undefined : 'has to be an object of lists of texts',
  values: (value) => (Array.isArray(value) ? undefined : 'has to be a list'),
  type: (value) => {
    const all = Array.isArray(value) ? value : [value]
    const isRight = all.length > 0 && all.every((each) => TYPES.includes(each)) && new Set(all).size === all.length
    return isRight ? undefined : `has to be one of ${TYPES.join(', ')}, or a list of them, each once`
  },
  pattern: (value) => {
    if (typeof value !== 'string') return 'has to be a text'
    return isPattern(value) ? undefined : 'is not a regular expression'
  },
  anchor: (value) =>
    typeof value === 'string' && /^[A-Za-z_][-\w.:]*$/.test(value)
      ? undefined
      : 'has to be a name of letters and digits',
  schema: (value, draft) => faultOfSchema(value, draft),
  'schema-or-list': (value, draft) => (Array.isArray(value) ? undefined : faultOfSchema(value, draft)),
  list: (value) => (Array.isArray(value) && value.length > 0 ? undefined : 'has to be a list of one schema or more'),
  map: (value) => (isNode(value) ? undefined : 'has to be an object of schemas'),
  'map-of-schemas-or-names': (value) => (isNode(value) ? undefined : 'has to be an object')
}

/** What a schema has to be. Draft 04 knows true and false in few places only; nobody minds them elsewhere. */
export function faultOfSchema(value: unknown, draft: Draft): string | undefined {
  if (isNode(value) || typeof value === 'boolean') return undefined
  return draft === 'draft-04'
    ? 'has to be a schema, which is an object'
    : 'has to be a schema: an object, true or false'
}

export function isNames(value: unknown): value is string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return false
  return new Set(value).size === value.length
}
