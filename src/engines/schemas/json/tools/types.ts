import { own, type SchemaNode } from '../model.ts'

export type Type = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

const KEYWORDS: readonly (readonly [Type, readonly string[]])[] = [
  [
    'object',
    [
      ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties'],
      ...['maxProperties', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties']
    ]
  ],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems', 'unevaluatedItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']]
]

/** What `type` of all nodes together allows, `number` without `integer`; undefined where there is none. */
export function typesSaid(nodes: readonly SchemaNode[]): Type[] | undefined {
  let allowed: Set<Type> | undefined
  for (const node of nodes) {
    const given = own(node, 'type')
    if (given === undefined) continue
    const types = new Set([given].flat() as Type[])
    if (types.has('number')) types.add('integer')
    allowed = allowed === undefined ? types : allowed.intersection(types)
  }
  if (allowed?.has('number')) allowed.delete('integer')
  return allowed === undefined ? undefined : [...allowed]
}

/** A schema that says what properties there are means objects, although it allows all that is none. */
export function typesMeant(nodes: readonly SchemaNode[]): Type[] {
  const isMeant = (keywords: readonly string[]) =>
    nodes.some((node) => keywords.some((keyword) => Object.hasOwn(node, keyword)))
  return KEYWORDS.filter(([, keywords]) => isMeant(keywords)).map(([type]) => type)
}

export function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}
