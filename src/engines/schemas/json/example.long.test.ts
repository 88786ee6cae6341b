import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeded } from '../../seeded-random.ts'
import type { SchemaFault } from '../fault.ts'
import { example } from './example/generate.ts'
import type { Making } from './example/making.ts'
import { makeNumber } from './example/scalars.ts'
import { checkExamples, checkFaults, checkShapes, checkWild, modelOf, plenty } from './testing/promises.ts'
import { faultsOf } from './values/validator.ts'

const MODERN = 'https://json-schema.org/draft/2020-12/schema'

/** Ten examples, all of which fit. */
function examples(schema: object, dependencies?: { name: string; text: string }[]): unknown[] {
  const model = modelOf(schema, dependencies)
  return Array.from({ length: 10 }, (_, seed) => {
    const value = example(model, seeded(seed), plenty())
    assert.deepEqual(faultsOf(model, value, plenty()), [])
    return value
  })
}

function faultOf(schema: object): SchemaFault {
  try {
    example(modelOf(schema), seeded(1), plenty())
  } catch (error) {
    return error as SchemaFault
  }
  throw new Error('there is an example')
}

test('the same numbers make the same example, others make others', () => {
  const model = modelOf({
    type: 'object',
    properties: { id: { type: 'string' }, n: { type: 'integer' } },
    required: ['id']
  })
  const of = (seed: number) => JSON.stringify(example(model, seeded(seed), plenty()))
  assert.equal(of(1), of(1))
  assert.ok(new Set(Array.from({ length: 10 }, (_, seed) => of(seed))).size > 5)
})

test('values look like what they are called', () => {
  const text = { type: 'string' }
  const schema = {
    properties: { id: text, created_at: text, contactEmail: text },
    required: ['id', 'created_at', 'contactEmail']
  }
  for (const value of examples(schema) as Record<string, string>[]) {
    assert.match(value.id ?? '', /^[0-9a-f]{8}-/)
    assert.match(value.created_at ?? '', /^20\d\d-\d\d-\d\dT/)
    assert.match(value.contactEmail ?? '', /@example\.com$/)
  }
})

test('optional properties are there or not', () => {
  const values = examples({
    type: 'object',
    properties: { a: { type: 'null' }, b: { type: 'null' } },
    additionalProperties: false
  })
  assert.ok(values.some((value) => Object.hasOwn(value as object, 'a')))
  assert.ok(values.some((value) => !Object.hasOwn(value as object, 'a')))
})

test('examples of the schema are used', () => {
  assert.ok(examples({ type: 'string', examples: ['red', 7] }).includes('red'))
})

test('what contains itself ends', () => {
  const tree = { type: 'object', required: ['kids'], properties: { kids: { type: 'array', items: { $ref: '#' } } } }
  examples(tree)
  examples({ oneOf: [{ type: 'integer' }, { type: 'array', minItems: 2, items: { $ref: '#' } }] })
  const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, { $ref: '#' }]))
  for (const value of examples({ type: 'object', properties: wide })) assert.ok(JSON.stringify(value).length < 100_000)
})

test('bounds meet in the middle, however many schemas they come from', () => {
  const numbers = {
    allOf: [{ type: 'number' }, { exclusiveMinimum: 1.1, multipleOf: 0.3 }, { maximum: 1.5, multipleOf: 0.5 }]
  }
  assert.deepEqual(new Set(examples(numbers)), new Set([1.5]))
  const text = {
    allOf: [{ pattern: '^a' }, { type: 'string', pattern: 'b$', minLength: 4, maxLength: 4 }, { pattern: '^[a-b]+$' }]
  }
  for (const value of examples(text)) assert.match(String(value), /^a[ab]{2}b$/)
})

test('numbers are made within their bounds at once, whatever the chance', () => {
  for (const chance of [0, 0.5, 0.999]) {
    const making = { random: () => chance } as unknown as Making
    assert.equal(makeNumber([{ exclusiveMinimum: 1, exclusiveMaximum: 3 }], true, making), 2)
    assert.equal(makeNumber([{ minimum: 0.25 }, { maximum: 0.35, multipleOf: 0.1 }], false, making), 0.3)
    const between = makeNumber([{ exclusiveMinimum: 0, exclusiveMaximum: 1e-9 }], false, making)
    assert.ok(between > 0 && between < 1e-9)
  }
})

test('every value is made until it fits, not all of them together', () => {
  examples({ type: 'array', minItems: 40, items: { type: 'boolean', not: { const: true } } })
})

test('all the common parts of regular expressions can be made', () => {
  const patterns = [
    '^(?:[A-Z]{2}|x)-?\\d{3,}$',
    '^[^\\W\\d_]+@[\\w.-]+\\.[a-z]{2,}$',
    '^\\u0041\\x42\\t[\\]\\-^]$',
    '^\\p{Lu}\\p{L}*$',
    '^(?<year>\\d{4})-(0[1-9]|1[0-2])$',
    '^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$',
    '^[\\u{1F600}-\\u{1F610}]{2}$',
    'a+?b*c??$',
    '^$'
  ]
  for (const pattern of patterns) examples({ type: 'string', pattern })
  examples({ type: 'string', pattern: '^[a-z]+$', minLength: 40, maxLength: 60 })
})

test('what stands in other documents counts', () => {
  const text = '{"definitions":{"sku":{"type":"string","pattern":"^[A-Z]{3}$"}}}'
  for (const value of examples({ $ref: 'common.json#/definitions/sku' }, [{ name: 'common.json', text }])) {
    assert.match(String(value), /^[A-Z]{3}$/)
  }
})

test('conditions, dependencies and what is left over are regarded', () => {
  const kind = { properties: { kind: { const: 'card' } }, required: ['kind'] }
  const payment = {
    $schema: MODERN,
    type: 'object',
    properties: {
      kind: { enum: ['card', 'cash'] },
      number: { type: 'string', pattern: '^\\d{16}$' },
      note: { type: 'string' }
    },
    required: ['kind'],
    if: kind,
    // biome-ignore lint/suspicious/noThenProperty: it is the name of the keyword
    then: { required: ['number'] },
    else: { properties: { number: false } },
    dependentRequired: { note: ['by'] },
    unevaluatedProperties: { type: 'integer' }
  }
  const values = examples(payment) as Record<string, unknown>[]
  assert.deepEqual(new Set(values.map(({ kind: each }) => each)), new Set(['card', 'cash']))
  assert.ok(values.some(({ by }) => Number.isInteger(by)))
})

test('arrays have what they contain, once where items are unique', () => {
  const schema = {
    $schema: MODERN,
    type: 'array',
    items: { enum: [1, 2, 3, 4] },
    uniqueItems: true,
    contains: { const: 4 },
    minItems: 4
  }
  for (const value of examples(schema)) assert.deepEqual(new Set(value as number[]), new Set([1, 2, 3, 4]))
})

test('where there is none, the fault says what stands in the way', () => {
  const cases: [schema: object, pointer: string][] = [
    [{ properties: { a: { type: 'string', pattern: '(a|b)\\1' } }, required: ['a'] }, '/properties/a/pattern'],
    [{ type: 'integer', minimum: 5, maximum: 4 }, '/minimum'],
    [{ type: 'string', minLength: 1e9 }, '/minLength'],
    [
      {
        type: 'array',
        items: { $ref: '#/definitions/x' },
        minItems: 1,
        definitions: { x: { enum: [1], type: 'null' } }
      },
      '/definitions/x/enum'
    ],
    [{ type: 'object', required: ['a'], additionalProperties: false }, '/required'],
    [{ allOf: [{ type: 'string' }, { type: 'null' }] }, '/allOf/0/type'],
    [{ type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 3 }, '/uniqueItems'],
    [{ type: 'object', required: ['a'], properties: { a: { $ref: '#' } } }, ''],
    [{ not: {} }, '/not']
  ]
  for (const [schema, pointer] of cases) {
    const fault = faultOf(schema)
    assert.equal(fault.kind, 'unsupported')
    assert.equal(fault.place.pointer, pointer, `${JSON.stringify(schema)}: ${fault.message}`)
    assert.match(fault.message, /^(?:No example was found|Values of the schema never end)/)
  }
})

test('examples fit, by a validator that is given the schema as it was written', () => checkExamples(80))
test('a value has faults where a validator of its draft refuses it', () => checkFaults(60))
test('what a schema makes of its own shape accepts its examples', () => checkShapes(60))
test('with any keywords beside each other, the answers are right or there is a fault', () => void checkWild(60))
