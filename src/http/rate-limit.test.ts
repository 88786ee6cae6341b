import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { createRateLimiter } from './rate-limit.ts'

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ caller: fc.constantFrom('ada', 'bob', 'eve') }) },
  { weight: 1, arbitrary: fc.record({ advanceMs: fc.integer({ min: 0, max: 90_000 }) }) },
  { weight: 1, arbitrary: fc.record({ correctMs: fc.integer({ min: -7_200_000, max: 7_200_000 }) }) }
)

describe('the rate limiter', () => {
  it('does what a plain count by caller and minute does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 100 }), (limit, steps) => {
        const clock = new ManualClock('2026-01-01T00:00:12.345Z')
        const limiter = createRateLimiter(limit, clock)
        const counts = new Map<string, number>()
        for (const one of steps) {
          if ('advanceMs' in one) clock.advance(one.advanceMs)
          if ('correctMs' in one) clock.correct(one.correctMs)
          if (!('caller' in one)) continue
          const minute = Math.floor(clock.elapsed() / 60_000)
          const key = `${one.caller} ${minute}`
          const count = (counts.get(key) ?? 0) + 1
          counts.set(key, count)
          assert.deepEqual(limiter.take(one.caller), {
            ok: count <= limit,
            remaining: Math.max(0, limit - count),
            resetSeconds: Math.ceil(((minute + 1) * 60_000 - clock.elapsed()) / 1000),
            firstRefusal: count === limit + 1
          })
        }
      })
    )
  })

  it('lets a caller that waits as long as it was told in again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 59_999 }), (offsetMs) => {
        const clock = new ManualClock()
        clock.advance(offsetMs)
        const limiter = createRateLimiter(1, clock)
        limiter.take('ada')
        const { ok, resetSeconds } = limiter.take('ada')
        assert.equal(ok, false)
        assert.ok(resetSeconds >= 1)
        clock.advance(resetSeconds * 1000)
        assert.equal(limiter.take('ada').ok, true)
      })
    )
  })

  it('keeps a bounded number of callers; the rest share one count', () => {
    const limiter = createRateLimiter(2, new ManualClock())
    for (let i = 0; i < 100_000; i++) assert.equal(limiter.take(`caller ${i}`).ok, true)
    assert.equal(limiter.take('one more').ok, true)
    assert.equal(limiter.take('another').ok, true)
    assert.equal(limiter.take('a third').ok, false)
    assert.equal(limiter.take('caller 0').ok, true)
  })

  it('is off at zero', () => {
    assert.equal(createRateLimiter(0, new ManualClock()).enabled, false)
    assert.equal(createRateLimiter(7, new ManualClock()).policy, '"default";q=7;w=60')
  })
})
