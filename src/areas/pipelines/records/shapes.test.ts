import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_FIELDS, shapesOf } from './shapes.ts'

test('a record with very many fields is a shape by itself, and costs its neighbours nothing', () => {
  const wide = Object.fromEntries(Array.from({ length: MAX_FIELDS + 500 }, (_, i) => [`field${i}`, i]))
  const shapes = shapesOf([{ a: 1 }, wide, { a: 2 }, { a: 3 }], () => true)
  assert.deepEqual(
    shapes.map(({ places, fields }) => [places, fields.length]),
    [
      [[0], 1],
      [[1], MAX_FIELDS + 500],
      [[2, 3], 1]
    ]
  )
})
