import fc from 'fast-check'
import { DRAFTS, type Draft } from '../model.ts'

interface ArbitrarySchema {
  readonly draft: Draft
  readonly schema: Record<string, unknown>
}

type Node = Record<string, unknown>

const ADDRESSES: Readonly<Record<Draft, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema'
}
const PATTERNS = [
  '^[A-Z]{3}-[0-9]{4}$',
  '^\\d+(\\.\\d{1,2})?$',
  'ab|cd',
  '^(foo|bar)[^a-z\\s]{2,}\\w$',
  '^.{3}$',
  '[€à-ü]'
]
const FORMATS = [
  'date',
  'time',
  'date-time',
  'uuid',
  'email',
  'uri',
  'ipv4',
  'ipv6',
  'hostname',
  'duration',
  'json-pointer'
]
const NAMES = ['id', 'name', 'created_at', 'a b', 'toString', 'x/y~z', 'constructor', 'ä']
const NEW = new Set<Draft>(['2019-09', '2020-12'])

/** Schemas that values fit, over all the keywords that examples are made for. */
export function arbitrarySchema(): fc.Arbitrary<ArbitrarySchema> {
  return fc.constantFrom(...DRAFTS).chain((draft) => {
    const { schema } = fc.letrec<{ schema: Node; inner: Node }>((tie) => ({
      inner: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf(draft), tie('schema')),
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaf(draft),
        objects(tie('inner'), draft),
        arrays(tie('inner'), draft),
        combined(tie('inner'), draft)
      )
    }))
    const place = NEW.has(draft) ? '$defs' : 'definitions'
    return fc.tuple(schema, schema, fc.boolean()).map(([top, other, isReferred]) => {
      const shared = {
        $schema: ADDRESSES[draft],
        [place]: { 'the other': refer(other, place), leaf: { type: 'string' } }
      }
      return { draft, schema: { ...(isReferred ? { allOf: [refer(top, place)] } : refer(top, place)), ...shared } }
    })
  })
}

/** References are made last: until then they are marks. */
function refer(node: Node, place: string): Node {
  const text = JSON.stringify(node, (_, value) =>
    value?.$mark === undefined ? value : { $ref: `#/${place}/${value.$mark}` }
  )
  return JSON.parse(text)
}

function leaf(draft: Draft): fc.Arbitrary<Node> {
  const length = fc.integer({ min: 0, max: 12 })
  return fc.oneof(
    fc.record({ type: fc.constant('string') }),
    fc.tuple(length, length).map(([least, more]) => ({ type: 'string', minLength: least, maxLength: least + more })),
    fc.constantFrom(...PATTERNS).map((pattern) => ({ type: 'string', pattern })),
    fc.constantFrom(...FORMATS).map((format) => ({ type: 'string', format })),
    numbers(draft),
    fc.constantFrom('boolean', 'null', 'integer', 'number', 'array', 'object').map((type) => ({ type })),
    fc
      .uniqueArray(fc.constantFrom(1, 'a', null, true, 'b', 2.5), { minLength: 1, maxLength: 4 })
      .map((list) => ({ enum: list })),
    fc.constant({ type: ['string', 'null'], minLength: 2 }),
    fc.constant({}),
    fc.constant({ $mark: 'leaf' })
  )
}

function numbers(draft: Draft): fc.Arbitrary<Node> {
  const span = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 12, max: 100 }))
  return fc
    .tuple(fc.constantFrom('integer', 'number'), span, fc.constantFrom(undefined, 1, 3, 0.5, 0.01), fc.boolean())
    .map(([type, [minimum, more], multipleOf, isExclusive]) => ({
      type,
      ...(multipleOf === undefined ? {} : { multipleOf }),
      ...(isExclusive && draft !== 'draft-04' ? { exclusiveMinimum: minimum } : { minimum }),
      ...(isExclusive && draft === 'draft-04' ? { exclusiveMinimum: true } : {}),
      maximum: minimum + more
    }))
}

function objects(inner: fc.Arbitrary<Node>, draft: Draft): fc.Arbitrary<Node> {
  const names = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 4 })
  return fc
    .tuple(names, fc.array(inner, { minLength: 4, maxLength: 4 }), fc.integer({ min: 0, max: 4 }), inner, fc.nat(7))
    .map(([keys, schemas, required, other, kind]): Node => {
      const properties = Object.fromEntries(keys.map((key, index) => [key, schemas[index]]))
      const node = {
        type: 'object',
        properties,
        ...(required > 0 && keys.length > 0 ? { required: keys.slice(0, required) } : {})
      }
      if (kind === 1) return { ...node, additionalProperties: false }
      if (kind === 2) return { type: 'object', additionalProperties: other, minProperties: 2 }
      if (kind === 3)
        return { type: 'object', patternProperties: { '^x-[a-z]{2}$': other }, additionalProperties: false }
      if (kind === 4 && NEW.has(draft)) return { ...node, unevaluatedProperties: false }
      if (kind === 5 && draft !== 'draft-04') return { ...node, minProperties: 5, propertyNames: { minLength: 1 } }
      if (kind === 6) return { ...node, dependencies: { [keys[0] ?? 'q']: ['z'], z: { minProperties: 2 } } }
      if (kind === 7) return { ...node, properties: { ...properties, again: { $mark: 'the other' } } }
      return node
    })
}

function arrays(inner: fc.Arbitrary<Node>, draft: Draft): fc.Arbitrary<Node> {
  return fc.tuple(inner, inner, fc.nat(3), fc.nat(5)).map(([items, other, least, kind]): Node => {
    const tuple =
      draft === '2020-12'
        ? { prefixItems: [items, other], items: false }
        : { items: [items, other], additionalItems: false }
    if (kind === 1) return { type: 'array', ...tuple, minItems: Math.min(2, least) }
    if (kind === 2) return { type: 'array', items: { type: 'integer' }, uniqueItems: true, minItems: least }
    if (kind === 3 && draft !== 'draft-04') return { type: 'array', contains: items, minItems: least }
    if (kind === 4 && NEW.has(draft)) return { type: 'array', contains: items, minContains: 2, maxItems: 4 }
    return { type: 'array', items, minItems: least, maxItems: least + 2 }
  })
}

function combined(inner: fc.Arbitrary<Node>, draft: Draft): fc.Arbitrary<Node> {
  return fc.tuple(inner, inner, fc.nat(6)).map(([one, other, kind]): Node => {
    const tagged = (tag: string, value: Node) => ({
      type: 'object',
      properties: { tag: { enum: [tag] }, value },
      required: ['tag']
    })
    if (kind === 1) return { oneOf: [tagged('one', one), tagged('other', other)] }
    if (kind === 2) return { allOf: [tagged('one', one), { properties: { more: other }, required: ['more'] }] }
    if (kind === 3 && draft !== 'draft-04' && draft !== 'draft-06') {
      const [when, then] = [{ properties: { tag: { const: 'one' } } }, { required: ['value'] }]
      return { ...tagged('one', one), if: when, then, else: { required: ['never'] } }
    }
    if (kind === 4)
      return { not: { type: 'string' }, anyOf: [{ type: 'integer' }, { type: 'string' }, tagged('x', other)] }
    if (kind === 5)
      return { oneOf: [{ required: ['a'] }, { required: ['b'] }], type: 'object', properties: { a: one, b: other } }
    if (kind === 6) return { $mark: 'leaf' }
    return { anyOf: [one, other] }
  })
}

/** Schemas of draft 2020-12 with any keywords beside each other, whether or not there are values that fit. */
export function wildSchema(): fc.Arbitrary<Node> {
  const { schema } = fc.letrec<{ schema: Node | boolean }>((tie) => {
    const inner = tie('schema')
    const list = fc.array(inner, { minLength: 1, maxLength: 3 })
    const name = fc.constantFrom('a', 'b', '__proto__', 'toString')
    const named = fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true })
    const count = fc.nat(4)
    const number = fc.constantFrom(-1, 0, 0.1, 3, 1e300, -1e-300, 2 ** 53)
    const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')
    const keywords = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1 })),
      enum: fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }),
      const: fc.jsonValue(),
      minimum: number,
      maximum: number,
      exclusiveMinimum: number,
      exclusiveMaximum: number,
      multipleOf: fc.constantFrom(0.1, 3, 1e-300, 1e300),
      minLength: count,
      maxLength: count,
      pattern: fc.constantFrom(
        '^a+$',
        '(a)\\1',
        '^(?!x).$',
        '[^]',
        '$.',
        '\\p{Emoji}',
        'a{3,2}|b'.slice(7),
        '(?<n>b)\\k<n>'
      ),
      format: fc.constantFrom('date', 'email', 'int32', 'unknown'),
      required: fc.uniqueArray(name),
      properties: named,
      patternProperties: fc.dictionary(fc.constantFrom('^a', '.', 'x'), inner, { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: inner,
      propertyNames: inner,
      minProperties: count,
      maxProperties: count,
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name), { maxKeys: 2, noNullPrototype: true }),
      dependentSchemas: named,
      unevaluatedProperties: inner,
      items: inner,
      prefixItems: list,
      contains: inner,
      minContains: count,
      maxContains: count,
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      unevaluatedItems: inner,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: inner,
      if: inner,
      else: inner,
      $ref: fc.constantFrom('#/$defs/x', '#/$defs/y'),
      default: fc.jsonValue(),
      examples: fc.array(fc.jsonValue(), { maxLength: 2 }),
      title: fc.string(),
      description: fc.string()
    }
    const some = fc
      .uniqueArray(fc.constantFrom(...(Object.keys(keywords) as (keyof typeof keywords)[])), { maxLength: 4 })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((keyword) => [keyword, keywords[keyword]])) as object))
    return {
      schema: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        { arbitrary: fc.boolean(), weight: 1 },
        { arbitrary: some as fc.Arbitrary<Node>, weight: 6 }
      )
    }
  })
  const node = schema.map((each) => (typeof each === 'boolean' ? { not: !each } : each))
  return fc
    .tuple(node, node, node)
    .map(([top, x, y]) => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...top, $defs: { x, y } }))
}
