import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Effort } from '../fault.ts'
import type { Shape } from '../format.ts'
import { fromShape } from './shape/from-shape.ts'
import { toShape } from './shape/to-shape.ts'
import { modelOf, plenty } from './testing/promises.ts'
import { faultsOf } from './values/validator.ts'

const MODERN = 'https://json-schema.org/draft/2020-12/schema'
const TEXT = { kind: 'string' } as const
const NULL = { kind: 'null' } as const
const LONG = { kind: 'integer', bits: 64, signed: true } as const

function shapeOf(schema: unknown, dependencies?: { name: string; text: string }[]) {
  return toShape(modelOf(schema, dependencies), plenty())
}

function lostOf(schema: object): string[] {
  return shapeOf(schema).lost.map(({ path, message }) => `${path} ${message}`)
}

test('scalars have the shape that their types and formats say', () => {
  const cases: [schema: unknown, shape: Shape][] = [
    [true, { kind: 'any' }],
    [{ type: 'null' }, NULL],
    [{ type: 'boolean' }, { kind: 'boolean' }],
    [{ type: 'integer' }, LONG],
    [
      { type: 'integer', format: 'int32' },
      { kind: 'integer', bits: 32, signed: true }
    ],
    [
      { type: 'integer', minimum: 0, maximum: 4294967295 },
      { kind: 'integer', bits: 32, signed: false }
    ],
    [
      { type: 'number', format: 'float' },
      { kind: 'number', bits: 32 }
    ],
    [{ type: ['number', 'integer'] }, { kind: 'number', bits: 64 }],
    [
      { type: 'string', format: 'date-time' },
      { kind: 'string', format: 'date-time' }
    ],
    [{ type: 'string', contentEncoding: 'base64' }, { kind: 'bytes' }],
    [{ type: ['string', 'null'] }, { kind: 'union', options: [NULL, TEXT] }],
    [
      { enum: ['a', null, 'b'], title: 'Letter' },
      { kind: 'union', options: [NULL, { kind: 'enum', name: 'Letter', values: ['a', 'b'] }] }
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }, { kind: 'union', options: [NULL, TEXT] }],
    [{ type: 'object' }, { kind: 'map', values: { kind: 'any' } }],
    [
      { additionalProperties: { type: 'string' }, type: 'object' },
      { kind: 'map', values: TEXT }
    ],
    [{ type: 'array' }, { kind: 'list', items: { kind: 'any' } }]
  ]
  for (const [schema, shape] of cases) assert.deepEqual(shapeOf(schema), { result: shape, lost: [] })
})

test('records have the fields of all schemas that hold at once, with what is said about them', () => {
  const base = JSON.stringify({
    type: 'object',
    properties: { id: { type: 'string', format: 'uuid' } },
    required: ['id']
  })
  const schema = {
    title: 'order event',
    description: 'Something happened.',
    allOf: [{ $ref: 'base.json' }],
    properties: { count: { type: 'integer', description: 'How many.', default: 1 }, id: { description: 'Its own.' } },
    required: ['extra'],
    type: 'object'
  }
  assert.deepEqual(shapeOf(schema, [{ name: 'base.json', text: base }]), {
    result: {
      kind: 'record',
      name: 'OrderEvent',
      doc: 'Something happened.',
      fields: [
        { name: 'count', doc: 'How many.', shape: LONG, optional: true, default: 1 },
        { name: 'id', doc: 'Its own.', shape: { kind: 'string', format: 'uuid' }, optional: false },
        { name: 'extra', shape: { kind: 'any' }, optional: false }
      ],
      open: true
    },
    lost: []
  })
})

test('what contains itself by way of a record refers to it; without one it can be anything', () => {
  const tree = {
    anyOf: [{ type: 'null' }, { type: 'object', properties: { left: { $ref: '#' } }, additionalProperties: false }]
  }
  const left = {
    name: 'left',
    shape: { kind: 'union', options: [NULL, { kind: 'recursion', name: 'Record' }] },
    optional: true
  }
  assert.deepEqual(shapeOf(tree).result, {
    kind: 'union',
    options: [NULL, { kind: 'record', name: 'Record', fields: [left], open: false }]
  })
  assert.deepEqual(shapeOf({ type: 'array', items: { $ref: '#' } }), {
    result: { kind: 'list', items: { kind: 'any' } },
    lost: [{ path: '/items', message: 'What contains itself without a record in between can be anything.' }]
  })
})

test('alternatives beside properties become records that have both', () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    oneOf: [
      { title: 'Card', properties: { number: { type: 'string' } }, required: ['number'] },
      { title: 'Cash', properties: { till: { type: 'string' } } }
    ]
  }
  const { result } = shapeOf(schema)
  assert.ok(result.kind === 'union')
  const told = result.options.map((option) =>
    option.kind === 'record'
      ? [option.name, ...option.fields.map(({ name, optional }) => `${name}${optional ? '?' : ''}`)]
      : []
  )
  assert.deepEqual(told, [
    ['Card', 'number', 'id'],
    ['Cash', 'till?', 'id']
  ])
})

test('whatever a shape has no words for is told with its place', () => {
  const schema = {
    $schema: MODERN,
    type: 'object',
    properties: {
      a: { type: 'string', minLength: 2, pattern: '^x', format: 'hostname' },
      b: { type: 'integer', minimum: 0 },
      c: { type: 'array', prefixItems: [{ type: 'string' }], items: false, uniqueItems: true },
      d: { enum: [1, 'x'] },
      e: false,
      f: { $ref: '#/$defs/f' }
    },
    additionalProperties: { type: 'string' },
    patternProperties: { '^x': { type: 'null' } },
    dependentRequired: { a: ['b'] },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
    $defs: { f: { items: { default: 1, description: 'Inner.', type: 'integer' } } }
  }
  assert.deepEqual(lostOf(schema).toSorted(), [
    '/$defs/f That values of other types are allowed is not said.',
    '/$defs/f/items/default The default is left out.',
    '/$defs/f/items/description The description is left out.',
    '/additionalProperties What other properties have to be is not said.',
    '/anyOf The conditions in "anyOf" are not said.',
    '/dependentRequired "dependentRequired" is left out.',
    '/patternProperties What properties with certain names have to be is not said.',
    '/properties That there is no property "e" is not said.',
    '/properties/a/format The format "hostname" is not said.',
    '/properties/a/minLength "minLength" (2) is left out.',
    '/properties/a/pattern "pattern" ("^x") is left out.',
    '/properties/b/minimum "minimum" (0) is left out.',
    '/properties/c/prefixItems Which item stands where is not said, only what items there can be.',
    '/properties/c/uniqueItems "uniqueItems" (true) is left out.',
    '/properties/d/enum Which values are allowed is not said, only of which types they are.'
  ])
})

test('references that unfold without end are too complex', () => {
  const definitions = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => {
      const next = { $ref: `#/definitions/l${level + 1}` }
      return [`l${level}`, { type: 'object', properties: { a: next, b: next } }]
    })
  )
  const schema = { $ref: '#/definitions/l0', definitions: { ...definitions, l40: { type: 'string' } } }
  assert.throws(() => toShape(modelOf(schema), new Effort(100_000)), { kind: 'too_complex' })
})

test('a shape becomes a schema that says the same', () => {
  const item: Shape = {
    kind: 'record',
    name: 'com.acme.Item',
    fields: [{ name: 'sku', shape: TEXT, optional: false }],
    open: false
  }
  const shape: Shape = {
    kind: 'record',
    name: 'com.acme.Order',
    doc: 'An order.',
    fields: [
      { name: 'first', doc: 'The first.', shape: item, optional: false },
      { name: 'others', shape: { kind: 'list', items: item }, optional: true },
      {
        name: 'parent',
        shape: { kind: 'union', options: [NULL, { kind: 'recursion', name: 'com.acme.Order' }] },
        optional: true
      },
      { name: 'price', shape: { kind: 'decimal', precision: 9, scale: 2 }, optional: false },
      { name: 'seen', shape: { kind: 'union', options: [NULL, LONG] }, optional: true, default: null },
      { name: 'key', shape: { kind: 'bytes', size: 16 }, optional: true },
      { name: '__proto__', shape: { kind: 'map', values: { kind: 'number', bits: 64 } }, optional: true }
    ],
    open: true
  }
  const { result, lost } = fromShape(shape)
  const read = shapeOf(result).result
  const fields = shape.fields.map((field) => (field.name === 'key' ? { ...field, shape: { kind: 'bytes' } } : field))
  assert.deepEqual(read, { ...shape, fields })
  assert.equal(JSON.parse(result).properties.others.items.$ref, '#/$defs/com.acme.Item')
  assert.deepEqual(
    lost.map(({ path }) => path),
    ['/price', '/key']
  )
})

test('records of one name that are not the same are kept apart', () => {
  const record = (name: string): Shape => ({
    kind: 'record',
    name: 'Node',
    fields: [{ name, shape: { kind: 'union', options: [NULL, { kind: 'recursion', name: 'Node' }] }, optional: false }],
    open: false
  })
  const { result } = fromShape({ kind: 'list', items: { kind: 'union', options: [record('left'), record('right')] } })
  const { $defs } = JSON.parse(result)
  assert.deepEqual(Object.keys($defs), ['Node', 'Node_2'])
  assert.equal($defs.Node_2.properties.right.anyOf[0].$ref, '#/$defs/Node_2')
})

test('null is one of the values of an enum that may be null', () => {
  const { result } = fromShape({ kind: 'union', options: [NULL, { kind: 'enum', values: ['a'] }] })
  for (const value of ['a', null]) assert.deepEqual(faultsOf(modelOf(result), value, plenty()), [])
  assert.equal(faultsOf(modelOf(result), 'b', plenty()).length, 1)
})
