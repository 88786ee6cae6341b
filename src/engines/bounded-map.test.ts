import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BoundedMap } from './bounded-map.ts'

test('a bounded map of entries that weigh something holds the newest of them that it can carry', () => {
  const weights = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 6 })))
  fc.assert(
    fc.property(weights, (set) => {
      const map = new BoundedMap<number, number>(10, (weight) => weight)
      let kept: [number, number][] = []
      for (const [key, weight] of set) {
        map.set(key, weight)
        kept = [...kept.filter(([other]) => other !== key), [key, weight]]
        while (kept.reduce((sum, [, one]) => sum + one, 0) > 10) kept.shift()
        assert.deepEqual([...map], kept)
      }
    })
  )
})

test('a bounded map holds what was set last, and no more than it may', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 9 }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), keys, (max, set) => {
      const map = new BoundedMap<number, number>(max)
      for (const [i, key] of set.entries()) map.set(key, i)
      const latest = [...new Set(set.toReversed())].slice(0, max).toReversed()
      assert.deepEqual(
        [...map],
        latest.map((key) => [key, set.lastIndexOf(key)])
      )
    })
  )
})
