import type { JsonSchema, SchemaNode } from './model.ts'
import type { Get, Making } from './translate.ts'
import type { ObjectTree, Tree } from './tree.ts'

export function objectOf(making: Making, isTyped: boolean, get: Get, beside: Tree | undefined): ObjectTree {
  const additional = get('additionalProperties') as JsonSchema | undefined
  const unevaluated = get('unevaluatedProperties') as JsonSchema | undefined
  const hasDependents = get('dependentSchemas') !== undefined || get('dependencies') !== undefined
  // Without other schemas about the same object, what is unevaluated is what is additional.
  const isPlain = unevaluated !== undefined && additional === undefined && beside === undefined && !hasDependents
  const isUnevaluated = unevaluated !== undefined && additional === undefined && !isPlain
  return {
    ...making,
    kind: 'object',
    isTyped,
    properties: schemasOf(get('properties')),
    patterns: schemasOf(get('patternProperties')),
    rest: additional ?? (isPlain ? unevaluated : true),
    restKeyword: isPlain ? 'unevaluatedProperties' : 'additionalProperties',
    required: new Set((get('required') as string[] | undefined) ?? []),
    minProperties: (get('minProperties') as number | undefined) ?? 0,
    maxProperties: (get('maxProperties') as number | undefined) ?? Number.POSITIVE_INFINITY,
    hasOwnDependents:
      get('dependencies') === undefined && (get('dependentRequired') ?? get('dependentSchemas')) !== undefined,
    ...dependentsOf(get),
    propertyNames: (get('propertyNames') as JsonSchema | undefined) ?? true,
    unevaluated: isUnevaluated ? { schema: unevaluated, beside } : undefined
  }
}

function schemasOf(value: unknown): Map<string, JsonSchema> {
  return new Map(Object.entries((value as SchemaNode | undefined) ?? {})) as Map<string, JsonSchema>
}

/** `dependencies` holds both, until 2019 gave each a keyword of its own. */
function dependentsOf(get: Get): Pick<ObjectTree, 'dependentNames' | 'dependentSchemas'> {
  const dependentNames = new Map<string, ReadonlySet<string>>()
  const dependentSchemas = schemasOf(get('dependentSchemas'))
  for (const keyword of ['dependencies', 'dependentRequired']) {
    for (const [name, value] of schemasOf(get(keyword)) as Map<string, unknown>) {
      if (!Array.isArray(value)) dependentSchemas.set(name, both(dependentSchemas.get(name), value as JsonSchema))
      else if (value.length > 0) dependentNames.set(name, new Set([...(dependentNames.get(name) ?? []), ...value]))
    }
  }
  return { dependentNames, dependentSchemas }
}

function both(one: JsonSchema | undefined, other: JsonSchema): JsonSchema {
  return one === undefined ? other : { allOf: [one, other] }
}
