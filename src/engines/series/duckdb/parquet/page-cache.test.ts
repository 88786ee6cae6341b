import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageCache } from './index.ts'

const kept = (cache: PageCache, key: number) => {
  let loaded = false
  cache.get(key, () => {
    loaded = true
    return { sizeBytes: 40 }
  })
  return !loaded
}

it('keeps what was used last, up to its size', () => {
  const cache = new PageCache(100)
  const first = cache.reserve(10)
  assert.deepEqual(
    [0, 1, 0, 2].map((place) => kept(cache, first + place)),
    [false, false, true, false]
  )
  assert.equal(cache.sizeBytes, 80)
  assert.deepEqual(
    [0, 2, 1].map((place) => kept(cache, first + place)),
    [true, true, false]
  )
})

it('keeps nothing larger than itself, nor pushes anything out for it', () => {
  const cache = new PageCache(100)
  const first = cache.reserve(3)
  kept(cache, first)
  assert.equal(cache.get(first + 1, () => ({ sizeBytes: 101, name: 'large' })).name, 'large')
  assert.equal(cache.sizeBytes, 40)
  assert.ok(kept(cache, first))
})

it('forgets what a file had, and nothing of others', () => {
  const cache = new PageCache(1000)
  const one = cache.reserve(3)
  const other = cache.reserve(3)
  for (const key of [one, one + 2, other, other + 2]) kept(cache, key)
  cache.release(one, 3)
  assert.equal(cache.sizeBytes, 80)
  assert.ok(kept(cache, other) && kept(cache, other + 2))
  assert.ok(!kept(cache, one))
})
