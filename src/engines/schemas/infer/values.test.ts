import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromShape } from '../json/shape/from-shape.ts'
import { modelOf, plenty } from '../json/testing/promises.ts'
import { faultsOf } from '../json/values/validator.ts'
import type { Shape } from '../shape.ts'
import { shapeOfValues } from './index.ts'

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
