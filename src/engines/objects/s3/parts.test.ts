import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_PARTS, MIN_PART_BYTES } from '../index.ts'
import { PART_BYTES, partBytes } from './parts.ts'

const GIB = 1024 ** 3
const TIB = 1024 * GIB

test('whatever its size, an object fits into the parts that are allowed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 * TIB }), (announcedBytes) => {
      let room = 0
      for (let number = 1; number <= MAX_PARTS; number++) room += partBytes(number, announcedBytes)
      return room >= announcedBytes && partBytes(1, announcedBytes) >= MIN_PART_BYTES
    }),
    { numRuns: 50 }
  )
  let unannounced = 0
  for (let number = 1; number <= MAX_PARTS; number++) unannounced += partBytes(number)
  assert.ok(unannounced > 400 * GIB)
  assert.equal(partBytes(1000), PART_BYTES)
  assert.equal(partBytes(1, 5 * GIB), PART_BYTES)
})
