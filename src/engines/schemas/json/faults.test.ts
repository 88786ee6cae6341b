import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Effort } from '../fault.ts'
import { modelOf, plenty } from './testing/promises.ts'
import { faultsOf } from './values/validator.ts'

const order = {
  type: 'object',
  required: ['id', 'items'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    items: { type: 'array', minItems: 1, uniqueItems: true, items: { $ref: '#/definitions/item' } },
    state: { enum: ['open', 'closed'] },
    total: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 }
  },
  additionalProperties: false,
  definitions: { item: { type: ['string', 'null'], maxLength: 5, pattern: '^[a-z]' } }
}

function said(schema: unknown, value: unknown, dependencies?: { name: string; text: string }[]): string[] {
  return faultsOf(modelOf(schema, dependencies), value, plenty()).map(({ pointer, message }) => `${pointer} ${message}`)
}

test('a value that fits has no faults', () => {
  const id = '5f0c0e1e-8f9a-4c6e-9c51-0d3f3c1f9b7a'
  assert.deepEqual(said(order, { id, items: ['a', null], state: 'open', total: 19.99 }), [])
})

test('all faults are told, each with its place and a sentence', () => {
  const value = { items: ['Abcdef', 'a', 'a', 4], state: 'lost', total: 0, 'other/one': 1 }
  assert.deepEqual(said(order, value).toSorted(), [
    ' It has the property "other/one", which the schema does not allow.',
    ' It lacks the property "id".',
    '/items The items 1 and 2 are the same, which the schema does not allow.',
    '/items/0 It must have at most 5 characters.',
    '/items/0 It must match the pattern ^[a-z].',
    '/items/3 It must be a string or null.',
    '/state It must be one of "open", "closed".',
    '/total It must be greater than 0.'
  ])
})

test('items that have to be unique are, whatever the type of further ones', () => {
  const pair = { prefixItems: [{ type: 'string' }, { type: 'string' }], items: { type: 'integer' }, uniqueItems: true }
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...pair }
  assert.deepEqual(said(schema, ['b', 'b']), [' The items 0 and 1 are the same, which the schema does not allow.'])
  assert.deepEqual(said(schema, ['a', 'b', 1, 2]), [])
})

test('every kind of fault is said in words', () => {
  const draft = { $schema: 'https://json-schema.org/draft/2020-12/schema' }
  const cases: [schema: object, value: unknown, sentence: string][] = [
    [{ const: { a: 1 } }, 1, ' It must be {"a":1}.'],
    [{ type: 'integer' }, 1.5, ' It must be an integer.'],
    [{ minLength: 2 }, '', ' It must have at least 2 characters.'],
    [{ maxItems: 1 }, [1, 2], ' It must have at most 1 item.'],
    [{ prefixItems: [true], items: false }, [1, 2], ' It must have at most 1 item.'],
    [{ unevaluatedItems: false }, [1], ' It must have at most 0 items.'],
    [{ minProperties: 2 }, {}, ' It must have at least 2 properties.'],
    [{ maxProperties: 0 }, { a: 1 }, ' It must have at most 0 properties.'],
    [{ minimum: 3 }, 2, ' It must be at least 3.'],
    [{ maximum: 3 }, 4, ' It must be at most 3.'],
    [{ exclusiveMaximum: 3 }, 3, ' It must be less than 3.'],
    [{ multipleOf: 0.1 }, 0.35, ' It must be a multiple of 0.1.'],
    [{ format: 'date' }, 'x', ' It must have the format date.'],
    [{ contains: { type: 'null' } }, [1], ' At least 1 item must fit what `contains` asks for.'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, ' It lacks the property "b", which is required beside "a".'],
    [{ unevaluatedProperties: false }, { a: 1 }, ' It has the property "a", which the schema does not allow.'],
    [{ not: {} }, 1, ' It fits a schema that it must not fit (`not`).'],
    [{ oneOf: [{}, {}] }, 1, ' It fits the alternatives 0 and 1 of `oneOf`, counted from 0, and must fit only one.'],
    [{ properties: { a: false } }, { a: 1 }, '/a The schema allows no value here.']
  ]
  for (const [schema, value, sentence] of cases) assert.deepEqual(said({ ...draft, ...schema }, value), [sentence])
})

test('what only some alternatives refuse is followed by the sentence about all of them', () => {
  assert.deepEqual(said({ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1), [
    ' It must be a string.',
    ' It must be null.',
    ' It fits none of the alternatives (`anyOf`).'
  ])
})

test('dependencies are found by the names that references have for them, whatever their draft and address', () => {
  const text = JSON.stringify({
    $schema: 'http://json-schema.org/draft-04/schema#',
    id: 'https://example.com/else.json',
    definitions: { small: { type: 'number', maximum: 3, exclusiveMaximum: true } }
  })
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://example.org/here.json',
    items: { $ref: 'common.json#/definitions/small' }
  }
  assert.deepEqual(said(schema, [2, 3], [{ name: 'common.json', text }]), ['/1 It must be less than 3.'])
})

test('keywords that the draft does not know mean nothing', () => {
  const schema = { const: 1, if: false, else: false, prefixItems: [false], dependentRequired: { a: ['b'] } }
  assert.deepEqual(said({ $schema: 'http://json-schema.org/draft-04/schema#', ...schema }, { a: 1 }), [])
  assert.equal(said({ $schema: 'http://json-schema.org/draft-06/schema#', ...schema }, { a: 1 }).length, 1)
})

test('what stands beside a reference means something since 2019', () => {
  const schema = { $ref: '#/definitions/text', maxLength: 1, definitions: { text: { type: 'string' } } }
  assert.deepEqual(said(schema, 'abc'), [])
  const since = { $schema: 'https://json-schema.org/draft/2019-09/schema', ...schema }
  assert.deepEqual(said(since, 'abc'), [' It must have at most 1 character.'])
})

test('names that objects have by their prototype are like any other', () => {
  const schema = '{"required":["toString","__proto__"],"additionalProperties":false,"properties":{"toString":true}}'
  assert.deepEqual(said(schema, {})[0], ' It lacks the property "toString".')
  assert.equal(said(schema, JSON.parse('{"toString":1,"__proto__":1}')).length, 1)
})

test('a property with an empty name can be missing too', () => {
  assert.deepEqual(said({ required: [''] }, {}), [' It lacks the property "".'])
})

test('at most 100 faults are told, and where there could be millions only the first', () => {
  const texts = modelOf({ items: { type: 'string' } })
  assert.equal(faultsOf(texts, Array(1000).fill(1), plenty()).length, 100)
  const many = modelOf({ items: { anyOf: Array.from({ length: 99 }, (_, index) => ({ minimum: index + 2 })) } })
  const faults = faultsOf(many, Array(30_000).fill(1), plenty())
  assert.deepEqual(new Set(faults.map(({ pointer }) => pointer)), new Set(['/0']))
})

test('an empty array contains nothing, whatever stands beside', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    contains: {},
    prefixItems: [{ type: 'null' }]
  }
  assert.deepEqual(said(schema, []), [' At least 1 item must fit what `contains` asks for.'])
})

test('patterns from before Unicode work, and so does what is nested without end', () => {
  assert.deepEqual(said({ pattern: '^a\\-b$' }, 'a-b'), [])
  const model = modelOf({ properties: { next: { $ref: '#' } } })
  let value: object = {}
  for (let level = 0; level < 100_000; level++) value = { next: value }
  assert.throws(() => faultsOf(model, value, plenty()), { kind: 'too_complex' })
  assert.throws(() => faultsOf(model, Array(1000).fill(0), new Effort(100)), { kind: 'too_complex' })
})

test('alternatives that fail beside patterns of names, which ajv stumbles over, are faults like others', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    anyOf: [{ additionalProperties: { required: ['a'] } }],
    patternProperties: { '.': {} },
    unevaluatedProperties: false
  }
  assert.deepEqual(said(schema, { x: {} })[0], '/x It lacks the property "a".')
})
