import { createRequire } from 'node:module'
import { SchemaFault } from '../fault.ts'
import { DRAFTS, type Draft, isNode, type JsonSchema, own } from './model.ts'
import type { Bound } from './tree.ts'

const ADDRESSES = new Map<string, Draft>([
  ['json-schema.org/draft-04/schema', 'draft-04'],
  ['json-schema.org/draft-06/schema', 'draft-06'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/schema', 'draft-07'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12']
])

/** What most schemas without `$schema` are written for, and what other registries take them for. */
export const USUAL_DRAFT: Draft = 'draft-07'

/** By `$schema`; undefined where there is none. */
export function draftOf(schema: unknown, pointer = '', dependency?: string): Draft | undefined {
  const address = isNode(schema) ? own(schema, '$schema') : undefined
  if (address === undefined) return undefined
  const place = { pointer: `${pointer}/$schema`, dependency }
  if (typeof address !== 'string') throw new SchemaFault('invalid', '"$schema" has to be a text', place)
  const draft = ADDRESSES.get(address.replace(/^https?:\/\//, '').replace(/#$/, ''))
  if (draft !== undefined) return draft
  const name = address.length > 100 ? `${address.slice(0, 100)}…` : address
  throw new SchemaFault(
    'invalid',
    `"$schema" names ${name}, which is none of the drafts known here: ${knownDrafts()}`,
    place
  )
}

function knownDrafts(): string {
  return [...ADDRESSES]
    .flatMap(([address, draft]) => (DRAFTS.includes(draft) ? [`http(s)://${address}`] : []))
    .join(', ')
}

export function isAtLeast(draft: Draft, first: Draft): boolean {
  return DRAFTS.indexOf(draft) >= DRAFTS.indexOf(first)
}

/** Until 2019 whatever stands beside `$ref` means nothing. */
export function ignoresBesideRef(draft: Draft): boolean {
  return !isAtLeast(draft, '2019-09')
}

/** Where other schemas stand below a keyword. */
type Below = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-of-schemas-or-names'

export type Form =
  | Below
  | 'any'
  | 'text'
  | 'flag'
  | 'number'
  | 'positive'
  | 'count'
  | 'names'
  | 'map-of-names'
  | 'values'
  | 'type'
  | 'pattern'
  | 'anchor'
  | 'flags'

const FORMS = new Map<Draft, Map<string, Form>>(DRAFTS.map((draft) => [draft, new Map()]))

function define(form: Form, names: string, first: Draft = 'draft-04', last: Draft = '2020-12'): void {
  for (const draft of DRAFTS.slice(DRAFTS.indexOf(first), DRAFTS.indexOf(last) + 1)) {
    for (const name of names.split(' ')) FORMS.get(draft)?.set(name, form)
  }
}

define('text', '$schema $ref title description format')
define('text', 'id', 'draft-04', 'draft-04')
define('text', '$id', 'draft-06')
define('text', '$comment contentEncoding contentMediaType', 'draft-07')
define('text', '$recursiveRef', '2019-09', '2019-09')
define('text', '$dynamicRef', '2020-12')
define('anchor', '$anchor', '2019-09')
define('anchor', '$dynamicAnchor', '2020-12')
define('flag', 'uniqueItems')
define('flag', 'exclusiveMinimum exclusiveMaximum', 'draft-04', 'draft-04')
define('flag', 'readOnly writeOnly', 'draft-07')
define('flag', 'deprecated', '2019-09')
define('flag', '$recursiveAnchor', '2019-09', '2019-09')
define('flags', '$vocabulary', '2019-09')
define('number', 'minimum maximum')
define('number', 'exclusiveMinimum exclusiveMaximum', 'draft-06')
define('positive', 'multipleOf')
define('count', 'minLength maxLength minItems maxItems minProperties maxProperties')
define('count', 'minContains maxContains', '2019-09')
define('pattern', 'pattern')
define('names', 'required')
define('map-of-names', 'dependentRequired', '2019-09')
define('values', 'enum')
define('values', 'examples', 'draft-06')
define('any', 'default')
define('any', 'const', 'draft-06')
define('type', 'type')
define('schema', 'not additionalProperties')
define('schema', 'additionalItems', 'draft-04', '2019-09')
define('schema', 'contains propertyNames', 'draft-06')
define('schema', 'if then else', 'draft-07')
define('schema', 'unevaluatedItems unevaluatedProperties contentSchema', '2019-09')
define('schema-or-list', 'items', 'draft-04', '2019-09')
define('schema', 'items', '2020-12')
define('list', 'allOf anyOf oneOf')
define('list', 'prefixItems', '2020-12')
define('map', 'properties patternProperties definitions')
define('map', '$defs dependentSchemas', '2019-09')
define('map-of-schemas-or-names', 'dependencies')

/** Undefined where a draft knows no such keyword: then it may be anything and means nothing. */
export function formOf(name: string, draft: Draft): Form | undefined {
  return FORMS.get(draft)?.get(name)
}

const FILES: readonly [pattern: RegExp, file: string, draft: Draft][] = [
  [/^http:\/\/json-schema\.org\/draft-04\/schema$/, 'ajv-draft-04/dist/refs/json-schema-draft-04.json', 'draft-04'],
  [/^http:\/\/json-schema\.org\/draft-06\/schema$/, 'ajv/dist/refs/json-schema-draft-06.json', 'draft-06'],
  [/^http:\/\/json-schema\.org\/draft-07\/schema$/, 'ajv/dist/refs/json-schema-draft-07.json', 'draft-07']
]
const MODERN = /^https:\/\/json-schema\.org\/draft\/(2019-09|2020-12)\/(schema|meta\/[a-z-]+)$/

/** The schemas of schemas, which every schema may refer to. */
export function knownDocument(uri: string): { readonly schema: unknown; readonly draft: Draft } | undefined {
  const old = FILES.find(([pattern]) => pattern.test(uri))
  if (old !== undefined) return { schema: load(old[1]), draft: old[2] }
  const [, draft, name] = MODERN.exec(uri) ?? []
  if (draft === undefined) return undefined
  try {
    return { schema: load(`ajv/dist/refs/json-schema-${draft}/${name}.json`), draft: draft as Draft }
  } catch {
    return undefined
  }
}

function load(file: string): unknown {
  return createRequire(import.meta.url)(file)
}

/** What a keyword of a node is set to, where its draft knows the keyword. */
export type Get = (keyword: string) => unknown

interface Items {
  readonly prefix: readonly JsonSchema[]
  readonly rest: JsonSchema | undefined
  readonly restKeyword: string
  readonly isTuple: boolean
}

/** What the items of an array have to be: the drafts say it with different keywords. */
export function itemsOf(get: Get, draft: Draft): Items {
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

/** The tighter of the inclusive and the exclusive bound. In draft 04 a flag makes a bound exclusive. */
export function boundOf(keyword: 'minimum' | 'maximum', get: Get, draft: Draft): Bound | undefined {
  const value = get(keyword) as number | undefined
  const exclusive = get(keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum') as number | boolean | undefined
  if (draft === 'draft-04') return value === undefined ? undefined : { value, isExclusive: exclusive === true }
  if (typeof exclusive !== 'number') return value === undefined ? undefined : { value, isExclusive: false }
  const isTighter = value === undefined || (keyword === 'minimum' ? exclusive >= value : exclusive <= value)
  return isTighter ? { value: exclusive, isExclusive: true } : { value, isExclusive: false }
}
