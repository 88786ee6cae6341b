import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import type { Shape } from '../format.ts'
import { fromShape } from '../json/shape/from-shape.ts'
import { modelOf, plenty } from '../json/testing/promises.ts'
import { faultsOf } from '../json/values/validator.ts'
import { shapeOfColumns } from './columns.ts'
import { shapeOfValues } from './values.ts'

const LONG: Shape = { kind: 'integer', bits: 64, signed: true }

function shapeOf(...values: unknown[]): Shape {
  return shapeOfValues(values).result
}

test('records are merged: fields that some lack are optional, those that are null may be', () => {
  assert.deepEqual(shapeOf({ a: 1, b: null }, { a: 2, b: 'x', c: [1, 2.5] }), {
    kind: 'record',
    fields: [
      { name: 'a', shape: LONG, optional: false },
      { name: 'b', shape: { kind: 'union', options: [{ kind: 'null' }, { kind: 'string' }] }, optional: false },
      { name: 'c', shape: { kind: 'list', items: { kind: 'number', bits: 64 } }, optional: true }
    ],
    open: true
  })
})

test('strings have a format where all have it', () => {
  assert.deepEqual(shapeOf('2024-02-29T10:00:00Z', '2024-03-01T10:00:00.5+02:00'), {
    kind: 'string',
    format: 'date-time'
  })
  assert.deepEqual(shapeOf('2024-02-29'), { kind: 'string', format: 'date' })
  assert.deepEqual(shapeOf('5f0c0e1e-8f9a-4c6e-9c51-0d3f3c1f9b7a'), { kind: 'string', format: 'uuid' })
  assert.deepEqual(shapeOf('2024-02-29', '2024-02-29T10:00:00Z'), { kind: 'string' })
  assert.deepEqual(shapeOf('x', '2024-02-29'), { kind: 'string' })
  for (const text of [
    '2023-02-29',
    '2023-02-29T10:00:00Z',
    '2024-02-29T24:00:00Z',
    '2024-02-29T10:00:00',
    '2024-13-01'
  ]) {
    assert.deepEqual(shapeOf(text), { kind: 'string' }, text)
  }
})

test('few strings are no enum, and large numbers no integers', () => {
  assert.deepEqual(shapeOf('a', 'b', 'a', 'a'), { kind: 'string' })
  assert.deepEqual(shapeOf(2 ** 62), LONG)
  assert.deepEqual(shapeOf(1e300), { kind: 'number', bits: 64 })
})

test('nothing seen can be anything', () => {
  assert.deepEqual(shapeOf(), { kind: 'any' })
  assert.deepEqual(shapeOf([]), { kind: 'list', items: { kind: 'any' } })
})

test('names that are data become a map', () => {
  const value = Object.fromEntries(
    Array.from({ length: 501 }, (_, index) => [`k${index}`, index % 2 === 0 ? index : [index]])
  )
  const { result, lost } = shapeOfValues([value])
  assert.deepEqual(result, { kind: 'map', values: { kind: 'union', options: [LONG, { kind: 'list', items: LONG }] } })
  assert.equal(lost.length, 1)
})

test('what is too deep can be anything', () => {
  let value: unknown = 1
  for (let level = 0; level < 10_000; level++) value = [value]
  assert.deepEqual(shapeOfValues([value]).lost.length, 1)
})

test('every sample fits the schema that is made of what was found out', () => {
  const text = fc.constantFrom('a', '2024-02-29', '2024-02-29T10:00:00Z', '5f0c0e1e-8f9a-4c6e-9c51-0d3f3c1f9b7a', '')
  const name = fc.constantFrom('a', 'b', 'toString', '__proto__', 'x/y', '')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(
        text,
        fc.string(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null)
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true })
    )
  }))
  const property = fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (values) => {
    const model = modelOf(fromShape(shapeOfValues(values).result).result)
    for (const each of values) assert.deepEqual(faultsOf(model, each, plenty()), [])
  })
  fc.assert(property, { numRuns: 150 })
})

const TEXT: Shape = { kind: 'string' }
const INT: Shape = { kind: 'integer', bits: 32, signed: true }

function orNull(...options: Shape[]): Shape {
  return { kind: 'union', options: [{ kind: 'null' }, ...options] }
}

function shapeOfColumn(type: string): Shape | undefined {
  return shapeOfColumns([{ name: 'c', type, nullable: false }], 'rows').result.fields[0]?.shape
}

test('every type has a shape', () => {
  const cases: [type: string, shape: Shape][] = [
    ['BIGINT', { kind: 'integer', bits: 64, signed: true }],
    ['utinyint', { kind: 'integer', bits: 32, signed: false }],
    ['UBIGINT', { kind: 'integer', bits: 64, signed: false }],
    ['HUGEINT', { kind: 'decimal', precision: 39, scale: 0 }],
    ['DECIMAL(18,3)', { kind: 'decimal', precision: 18, scale: 3 }],
    ['NUMERIC', { kind: 'decimal', precision: 18, scale: 3 }],
    ['FLOAT', { kind: 'number', bits: 32 }],
    ['TIMESTAMP WITH TIME ZONE', { kind: 'string', format: 'date-time' }],
    ['DATE', { kind: 'string', format: 'date' }],
    ['UUID', { kind: 'string', format: 'uuid' }],
    ['BLOB', { kind: 'bytes' }],
    ['JSON', { kind: 'any' }],
    ['"NULL"', { kind: 'null' }],
    ["ENUM('a', 'it''s', 'x, y)')", { kind: 'enum', values: ['a', "it's", 'x, y)'] }],
    ['VARCHAR[]', { kind: 'list', items: orNull(TEXT) }],
    ['INTEGER[][3]', { kind: 'list', items: orNull({ kind: 'list', items: orNull(INT) }) }],
    ['MAP(VARCHAR, INTEGER)', { kind: 'map', values: orNull(INT) }],
    ['UNION(a INTEGER, b VARCHAR, c INTEGER)', { kind: 'union', options: [INT, TEXT] }],
    [
      'STRUCT(a INTEGER, "b ""c" VARCHAR[])[]',
      {
        kind: 'list',
        items: orNull({
          kind: 'record',
          fields: [
            { name: 'a', shape: orNull(INT), optional: false },
            { name: 'b "c', shape: orNull({ kind: 'list', items: orNull(TEXT) }), optional: false }
          ]
        })
      }
    ]
  ]
  for (const [type, shape] of cases) assert.deepEqual(shapeOfColumn(type), shape, type)
})

test('columns that may be null are unions with null', () => {
  const columns = [
    { name: 'id', type: 'INTEGER', nullable: false },
    { name: 'note', type: 'VARCHAR', nullable: true },
    { name: 'any', type: 'JSON', nullable: true }
  ]
  assert.deepEqual(shapeOfColumns(columns, 'orders'), {
    result: {
      kind: 'record',
      name: 'orders',
      fields: [
        { name: 'id', shape: INT, optional: false },
        { name: 'note', shape: orNull(TEXT), optional: false },
        { name: 'any', shape: { kind: 'any' }, optional: false }
      ]
    },
    lost: []
  })
})

test('what can not be said is told with the place', () => {
  const type = 'STRUCT(t TIMESTAMP_NS, "x/y" MAP(INTEGER, INTERVAL), z mood, row STRUCT(INTEGER, VARCHAR))'
  const { lost } = shapeOfColumns([{ name: 'c', type, nullable: false }], 'rows')
  assert.deepEqual(
    lost.map(({ path, message }) => `${path} ${message}`),
    [
      '/c/t The TIMESTAMP_NS has no time zone; write it as UTC.',
      '/c/x~1y The keys of the MAP become strings.',
      '/c/x~1y/values That the string is an INTERVAL is not said.',
      '/c/z The type MOOD has no counterpart; the value can be anything.',
      '/c/row A STRUCT whose members have no names can be anything.'
    ]
  )
})

test('texts that are no types can be anything; those that never end are too complex', () => {
  for (const type of ['', 'STRUCT(a', 'MAP(VARCHAR)', 'INTEGER]', "ENUM('a' 'b')", 'DECIMAL(x)', '∑']) {
    const { result, lost } = shapeOfColumns([{ name: 'c', type, nullable: true }], 'rows')
    assert.deepEqual([result.fields[0]?.shape, lost.length], [{ kind: 'any' }, 1], type)
  }
  for (const type of [`${'STRUCT(a '.repeat(10_000)}INTEGER${')'.repeat(10_000)}`, `INTEGER${'[]'.repeat(10_000)}`]) {
    assert.throws(() => shapeOfColumn(type), { kind: 'too_complex' })
  }
})

test('what DuckDB says of its own columns is understood, however they are nested', async () => {
  const simple = fc.constantFrom(
    'TINYINT',
    'DECIMAL(9,0)',
    "ENUM('a', '''')",
    'TIMETZ',
    'BIGNUM',
    'VARCHAR',
    'UUID',
    'BIT',
    'JSON'
  )
  const label = fc.constantFrom('a', '"b c"', '"d""e"', '"struct"', '"ünï"', '"f,g)"')
  const { type } = fc.letrec<{ type: string }>((tie) => {
    const members = fc.uniqueArray(fc.tuple(label, tie('type')), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 3
    })
    const list = members.map((each) => each.map(([name, inner]) => `${name} ${inner}`).join(', '))
    return {
      type: fc.oneof(
        { maxDepth: 4 },
        simple,
        list.map((each) => `STRUCT(${each})`),
        list.map((each) => `UNION(${each})`),
        fc.tuple(simple, tie('type')).map(([key, value]) => `MAP(${key}, ${value})`),
        fc.tuple(tie('type'), fc.constantFrom('[]', '[2]')).map(([items, length]) => items + length)
      )
    }
  })
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const given of fc.sample(type, 100)) {
    const reader = await connection.runAndReadAll(`DESCRIBE SELECT CAST(NULL AS ${given}) AS c`)
    const printed = String(reader.getRowObjects()[0]?.column_type)
    const { lost } = shapeOfColumns([{ name: 'c', type: printed, nullable: true }], 'rows')
    assert.ok(!lost.some(({ message }) => message.includes('no counterpart')), printed)
  }
  connection.closeSync()
  instance.closeSync()
})
