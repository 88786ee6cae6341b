import { type Chance, type Loose, VALUES } from './random-schema.ts'

type Node = { [keyword: string]: unknown }

const TEXTS = ['', 'a', 'b', 'ab', 'ba', 'aaa', 'abab', 'bbbbb', '2020-01-02', '10.0.0.1', 'a@b.ab']

/** A value that has a chance to fit, or to fail to fit by little. */
export function valueFor(schema: Loose, root: Loose, chance: Chance, depth = 4): unknown {
  if (typeof schema === 'boolean' || depth === 0 || chance.is(0.06)) return anyValue(chance, depth)
  if (typeof schema.$ref === 'string' && chance.is(0.9))
    return valueFor(target(schema.$ref, root), root, chance, depth - 1)
  const choices = ['enum', 'anyOf', 'oneOf', 'allOf', 'then', 'else', 'if', 'not'].filter((name) => name in schema)
  if ('const' in schema && chance.is(0.9)) return schema.const
  if (choices.length > 0 && chance.is(0.6)) {
    const chosen = schema[chance.pick(choices)]
    if (schema.enum === chosen) return chance.pick(chosen as unknown[])
    const inner = Array.isArray(chosen) ? chance.pick(chosen as Loose[]) : (chosen as Loose)
    return valueFor(inner, root, chance, depth - 1)
  }
  return ofType(typeFor(schema, chance), schema, root, chance, depth)
}

function target(reference: string, root: Loose): Loose {
  let value: unknown = root
  for (const name of reference.slice(2).split('/')) value = (value as Node)[name]
  return value as Loose
}

function typeFor(schema: Node, chance: Chance): string {
  if ('type' in schema) return chance.pick([schema.type].flat() as string[])
  const guess = [
    ['properties', 'object'],
    ['additionalProperties', 'object'],
    ['required', 'object'],
    ['patternProperties', 'object'],
    ['unevaluatedProperties', 'object'],
    ['dependencies', 'object'],
    ['items', 'array'],
    ['prefixItems', 'array'],
    ['contains', 'array'],
    ['minimum', 'number'],
    ['maximum', 'number'],
    ['multipleOf', 'number'],
    ['minLength', 'string'],
    ['maxLength', 'string']
  ].filter(([keyword]) => (keyword as string) in schema)
  return guess.length === 0 || chance.is(0.15) ? 'any' : (chance.pick(guess)[1] as string)
}

function ofType(type: string, schema: Node, root: Loose, chance: Chance, depth: number): unknown {
  switch (type) {
    case 'string':
      return chance.pick(TEXTS)
    case 'integer':
      return chance.below(9) - 2
    case 'number':
      return (chance.below(18) - 4) / 2
    case 'boolean':
      return chance.is(0.5)
    case 'null':
      return null
    case 'array':
      return arrayFor(schema, root, chance, depth)
    case 'object':
      return objectFor(schema, root, chance, depth)
    default:
      return anyValue(chance, depth)
  }
}

function arrayFor(schema: Node, root: Loose, chance: Chance, depth: number): unknown[] {
  const { items, prefixItems, additionalItems, unevaluatedItems, contains } = schema as Record<
    string,
    Loose | Loose[] | undefined
  >
  const prefix = (Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : []) as Loose[]
  const rest = [Array.isArray(items) ? additionalItems : items, unevaluatedItems].find((each) => each !== undefined)
  return Array.from({ length: chance.below(4) }, (_, i) => {
    const chosen = contains !== undefined && chance.is(0.4) ? contains : (prefix[i] ?? rest ?? true)
    return valueFor(chosen as Loose, root, chance, depth - 1)
  })
}

function objectFor(schema: Node, root: Loose, chance: Chance, depth: number): Node {
  const properties = (schema.properties ?? {}) as { [name: string]: Loose }
  const patterns = Object.entries((schema.patternProperties ?? {}) as { [pattern: string]: Loose })
  const rest = (schema.additionalProperties ?? schema.unevaluatedProperties ?? true) as Loose
  const required = (schema.required ?? []) as string[]
  const value: Node = {}
  for (const name of ['a', 'b', 'ab', 'c', 'bb']) {
    if (!chance.is(required.includes(name) ? 0.95 : name in properties ? 0.6 : rest === false ? 0.05 : 0.3)) continue
    const pattern = patterns.find(([text]) => new RegExp(text).test(name))?.[1]
    value[name] = valueFor(properties[name] ?? pattern ?? rest, root, chance, depth - 1)
  }
  return value
}

function anyValue(chance: Chance, depth: number): unknown {
  if (depth > 1 && chance.is(0.2)) return { [chance.pick(['a', 'b', 'ab', 'c'])]: anyValue(chance, depth - 1) }
  if (depth > 1 && chance.is(0.1)) return [anyValue(chance, depth - 1)]
  return chance.is(0.5) ? chance.pick(VALUES) : chance.is(0.5) ? chance.pick(TEXTS) : (chance.below(18) - 4) / 2
}
