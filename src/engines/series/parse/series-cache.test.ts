import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyKey, NOT_CACHED, SeriesCache, UNKNOWN_SERIES } from './series-cache.ts'
import { FLOAT } from './type-codes.ts'

/** The key whose series and field stand beside each other, with any hash. */
function keyOf(series: string, field: string, hash: number, known = UNKNOWN_SERIES) {
  const seriesEnd = Buffer.byteLength(series)
  const ends = { seriesEnd, fieldStart: seriesEnd, fieldEnd: seriesEnd + Buffer.byteLength(field) }
  return { bytes: Buffer.from(series + field), key: { ...emptyKey(), ...ends, hash, series: known } }
}

test('keys with the same hash, or the same bytes divided elsewhere, are apart', () => {
  const cache = new SeriesCache()
  const parts = [
    ['ab', 'c'],
    ['a', 'bc'],
    ['ab', 'd'],
    ['b', 'c'],
    ['ab', 'cc']
  ] as const
  for (const [index, [series, field]] of parts.entries()) {
    const { bytes, key } = keyOf(series, field, 7)
    assert.equal(cache.find(bytes, key), NOT_CACHED)
    cache.add(bytes, key, index, FLOAT)
  }
  for (const [index, [series, field]] of parts.entries()) {
    const { bytes, key } = keyOf(series, field, 7)
    assert.equal(cache.tagOf(cache.find(bytes, key)), index)
  }
})

test('many keys are all found, and none after it is cleared', () => {
  const cache = new SeriesCache()
  const keys = Array.from({ length: 20_000 }, (_, index) =>
    keyOf(`series${index}`, `field${index % 7}`, Math.imul(index, 40_503))
  )
  for (const [index, { bytes, key }] of keys.entries()) cache.add(bytes, key, index, FLOAT)
  for (const [index, { bytes, key }] of keys.entries()) assert.equal(cache.tagOf(cache.find(bytes, key)), index)
  cache.clear()
  for (const { bytes, key } of keys) assert.equal(cache.find(bytes, key), NOT_CACHED)
})

test('a series that was known before the cache was cleared is not taken for another', () => {
  const cache = new SeriesCache()
  const before = keyOf('aa', 'x', 1)
  const series = cache.seriesOf(cache.add(before.bytes, before.key, 1, FLOAT))
  cache.clear()
  const after = keyOf('bb', 'y', 1)
  cache.add(after.bytes, after.key, 2, FLOAT)
  const asked = keyOf('aa', 'y', 1, series)
  assert.equal(cache.find(asked.bytes, asked.key), NOT_CACHED)
})
