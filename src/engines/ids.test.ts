import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Clock, systemClock } from './clock.ts'
import { createIds } from './ids.ts'

const SHAPE = /^usr_[0-9a-hjkmnp-tv-z]{26}$/
const START_MS = Date.parse('2026-01-01T00:00:00.000Z')

/** A clock that, unlike the manual clock, can be set back. */
function settableClock(): Clock & { ms: number } {
  const clock = { ...systemClock, ms: START_MS, now: () => clock.ms }
  return clock
}

const inOrder = (ids: readonly string[]) => ids.every((id, at) => at === 0 || (ids[at - 1] as string) < id)

test('an id is its prefix, 10 characters of time and 16 of chance', () => {
  const clock = settableClock()
  const [one, other] = [createIds(clock)('usr'), createIds(clock)('usr')]
  assert.match(one, SHAPE)
  assert.equal(one.slice(0, 14), other.slice(0, 14))
  assert.notEqual(one.slice(14), other.slice(14))
  clock.ms = 0
  assert.equal(createIds(clock)('job').slice(0, 14), 'job_0000000000')
  clock.ms = 33
  assert.equal(createIds(clock)('job').slice(0, 14), 'job_0000000011')
})

test('ids sort by the time they were made, whoever made them', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 2 ** 48 }), { minLength: 2 }), (times) => {
      const clock = settableClock()
      const ids = times
        .toSorted((a, b) => a - b)
        .map((ms) => {
          clock.ms = ms
          return createIds(clock)('usr')
        })
      assert.ok(inOrder(ids))
    })
  )
})

test('each is later than the one before, within a millisecond and when the clock is set back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 200 }), (steps) => {
      const clock = settableClock()
      const makeId = createIds(clock)
      const ids = steps.flatMap((step) => {
        clock.ms += step
        return [makeId('usr'), makeId('usr')]
      })
      assert.ok(inOrder(ids))
      assert.deepEqual(
        ids.filter((id) => !SHAPE.test(id)),
        []
      )
    })
  )
})

test('200,000 ids are all different, in order and well formed', () => {
  const clock = settableClock()
  const makeId = createIds(clock)
  const ids = Array.from({ length: 200_000 }, (_, n) => {
    if (n % 3 === 0) clock.ms++ // uses up the pool of random bytes many times over
    return makeId('usr')
  })
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(inOrder(ids))
  assert.ok(ids.every((id) => SHAPE.test(id)))
  const chance = new Set(ids.filter((_, n) => n % 3 === 0).map((id) => id.slice(14)))
  assert.equal(chance.size, Math.ceil(ids.length / 3))
})

test('makers that share a millisecond do not make the same', () => {
  const clock = settableClock()
  const ids = Array.from({ length: 5000 }, () => createIds(clock)('usr'))
  assert.equal(new Set(ids).size, ids.length)
})

test('a millisecond has room for more than any one digit', () => {
  const makeId = createIds(settableClock())
  const ids = Array.from({ length: 40_000 }, () => makeId('usr'))
  assert.ok(inOrder(ids))
  assert.equal(new Set(ids.map((id) => id.slice(0, 14))).size, 1)
})
