import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Pace } from './pace.ts'

it('less than 32 KB in a minute is too slow, counted minute by minute', () => {
  const pace = new Pace()
  assert.equal(pace.isTooSlow(100, 0), false)
  assert.equal(pace.isTooSlow(100, 59_999), false)
  assert.equal(pace.isTooSlow(100 + 32_768, 60_000), false)
  assert.equal(pace.isTooSlow(100 + 32_768, 119_999), false)
  assert.equal(pace.isTooSlow(100 + 32_768 + 32_767, 120_000), true)
})

it('time in which there was nothing to move does not count', () => {
  const pace = new Pace()
  pace.isTooSlow(0, 0)
  pace.rest()
  assert.equal(pace.isTooSlow(0, 60_000), false)
  assert.equal(pace.isTooSlow(0, 119_999), false)
  assert.equal(pace.isTooSlow(0, 120_000), true)
})
