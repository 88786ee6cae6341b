import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_PARTS, MIN_PART_BYTES } from '../index.ts'
import { bodyOf, pattern } from '../testing/bodies.ts'
import { PART_BYTES, partBytes, partsOf } from './parts.ts'

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

test('the parts are the content, all but the last of them full, and the last never missing', async () => {
  for (const bytes of [0, 1, 70_000, 300_000, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES + 5]) {
    for (const announced of [true, false]) {
      const content = pattern(bytes)
      const parts: Buffer[] = []
      for await (const part of partsOf(bodyOf(content, { announced }))) parts.push(part)
      assert.ok(Buffer.concat(parts).equals(content), `${bytes} bytes`)
      assert.equal(parts.length, Math.max(1, Math.ceil(bytes / PART_BYTES)))
    }
  }
})
