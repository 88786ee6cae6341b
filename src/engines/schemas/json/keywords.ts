import { DRAFTS, type Draft } from './model.ts'

/** Where other schemas stand below a keyword. */
export type Below = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-of-schemas-or-names'

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
