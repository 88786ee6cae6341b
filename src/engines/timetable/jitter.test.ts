import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { jitterMs } from './index.ts'

describe('jitter', () => {
  it('is the same for the same, and within its bounds', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 2 ** 45 }), fc.nat(86_400), (seed, atMs, seconds) => {
        const ms = jitterMs(seed, atMs, seconds)
        assert.equal(jitterMs(seed, atMs, seconds), ms)
        assert.ok(Number.isInteger(ms) && ms >= 0 && (ms < seconds * 1000 || (ms === 0 && seconds === 0)))
      })
    )
  })

  it('does not change from one version to the next, or replicas would disagree', () => {
    assert.equal(jitterMs('sch_1', Date.UTC(2026, 0, 1), 60), 49_124)
  })

  it('is spread evenly over seeds, and over the times of one', () => {
    const spreads = {
      seeds: Array.from({ length: 10_000 }, (_, i) => jitterMs(`sch_${i}`, 0, 10)),
      times: Array.from({ length: 10_000 }, (_, i) => jitterMs('sch', i * 60_000, 10))
    }
    for (const [of, spread] of Object.entries(spreads)) {
      const perSecond = Map.groupBy(spread, (ms) => Math.floor(ms / 1000))
      assert.equal(perSecond.size, 10, of)
      // 1,000 are expected in each; with 6 standard deviations of 30 none is further away.
      for (const [second, { length }] of perSecond)
        assert.ok(Math.abs(length - 1000) < 180, `${of}: ${length} in ${second}`)
    }
  })
})
