import type { ErrorObject } from 'ajv'

const MAX_SHOWN = 10
const MAX_SHOWN_CHARS = 60
type Params = Readonly<Record<string, unknown>>

const SENTENCES = new Map<string, (params: Params) => string>([
  ['type', ({ type }) => `It must be ${[type].flat().map(withArticle).join(' or ')}.`],
  ['required', ({ missingProperty }) => `It lacks the property ${show(missingProperty)}.`],
  ['additionalProperties', ({ additionalProperty }) => notAllowed(additionalProperty)],
  ['unevaluatedProperties', ({ unevaluatedProperty }) => notAllowed(unevaluatedProperty)],
  ['propertyNames', ({ propertyName }) => `The name of the property ${show(propertyName)} is not allowed.`],
  ['enum', ({ allowedValues }) => `It must be one of ${list(allowedValues)}.`],
  ['const', ({ allowedValue }) => `It must be ${show(allowedValue)}.`],
  ['minLength', ({ limit }) => `It must have at least ${count(limit, 'character')}.`],
  ['maxLength', ({ limit }) => `It must have at most ${count(limit, 'character')}.`],
  ['minItems', ({ limit }) => `It must have at least ${count(limit, 'item')}.`],
  ['maxItems', ({ limit }) => `It must have at most ${count(limit, 'item')}.`],
  ['items', ({ limit }) => `It must have at most ${count(limit, 'item')}.`],
  ['unevaluatedItems', ({ limit }) => `It must have at most ${count(limit, 'item')}.`],
  ['minProperties', ({ limit }) => `It must have at least ${count(limit, 'property')}.`],
  ['maxProperties', ({ limit }) => `It must have at most ${count(limit, 'property')}.`],
  ['minimum', ({ limit }) => `It must be at least ${limit}.`],
  ['maximum', ({ limit }) => `It must be at most ${limit}.`],
  ['exclusiveMinimum', ({ limit }) => `It must be greater than ${limit}.`],
  ['exclusiveMaximum', ({ limit }) => `It must be less than ${limit}.`],
  ['multipleOf', ({ multipleOf }) => `It must be a multiple of ${multipleOf}.`],
  ['pattern', ({ pattern }) => `It must match the pattern ${cut(String(pattern))}.`],
  ['format', ({ format }) => `It must have the format ${cut(String(format))}.`],
  ['uniqueItems', ({ i, j }) => `The items ${j} and ${i} are the same, which the schema does not allow.`],
  ['contains', ({ minContains, maxContains }) => contains(minContains, maxContains)],
  [
    'dependentRequired',
    ({ property, missingProperty }) =>
      `It lacks the property ${show(missingProperty)}, which is required beside ${show(property)}.`
  ],
  ['not', () => 'It fits a schema that it must not fit (`not`).'],
  ['anyOf', () => 'It fits none of the alternatives (`anyOf`).'],
  ['oneOf', ({ passingSchemas }) => oneOf(passingSchemas)],
  ['if', ({ failingKeyword }) => `It does not fit what \`${failingKeyword}\` asks for.`],
  ['false schema', () => 'The schema allows no value here.']
])

/** In words for whoever made the value. */
export function sentenceOf(error: ErrorObject): string {
  const sentence = SENTENCES.get(error.keyword)
  return sentence === undefined ? `It ${error.message ?? 'does not fit the schema'}.` : sentence(error.params)
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null'
  return type === 'object' || type === 'array' || type === 'integer' ? `an ${type}` : `a ${type}`
}

function notAllowed(name: unknown): string {
  return `It has the property ${show(name)}, which the schema does not allow.`
}

function contains(least: unknown, most: unknown): string {
  const upper = most === undefined ? '' : ` and at most ${most}`
  return `At least ${count(least, 'item')}${upper} must fit what \`contains\` asks for.`
}

function oneOf(fitting: unknown): string {
  if (!Array.isArray(fitting)) return 'It fits none of the alternatives (`oneOf`).'
  return `It fits the alternatives ${fitting.join(' and ')} of \`oneOf\`, counted from 0, and must fit only one.`
}

function list(values: unknown): string {
  const all = Array.isArray(values) ? values : [values]
  const more = all.length > MAX_SHOWN ? ` and ${all.length - MAX_SHOWN} more` : ''
  return `${all.slice(0, MAX_SHOWN).map(show).join(', ')}${more}`
}

function show(value: unknown): string {
  return cut(JSON.stringify(value) ?? 'nothing')
}

function cut(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text
}

function count(limit: unknown, what: 'character' | 'item' | 'property'): string {
  if (limit === 1) return `1 ${what}`
  return `${limit} ${what === 'property' ? 'properties' : `${what}s`}`
}
