import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { drawable, numberTicks, rounded, widened } from './ticks.ts'

const spans = fc
  .tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true }))
  .map(([a, b]) => [drawable(a) ?? 0, drawable(b) ?? 1] as const)
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))

describe('ticks of numbers', () => {
  it('are nice', () => {
    assert.deepEqual(numberTicks({ from: 0, to: 100 }, 6), [0, 20, 40, 60, 80, 100])
    assert.deepEqual(numberTicks({ from: -3, to: 4 }, 5), [-2, 0, 2, 4])
    assert.deepEqual(numberTicks({ from: 0.1, to: 0.35 }, 4), [0.1, 0.2, 0.30000000000000004])
  })

  it('rise, lie within what is shown, and are no more than asked for', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 1, max: 20 }), (span, most) => {
        const { from, to } = widened(span)
        assert.ok(from < to)
        const ticks = numberTicks(span, most)
        assert.ok(ticks.length <= most)
        for (const [i, tick] of ticks.entries()) {
          assert.ok(Number.isFinite(tick) && tick >= from && tick <= to, `${tick} of ${from} to ${to}`)
          if (i > 0) assert.ok(tick > (ticks[i - 1] as number))
        }
      })
    )
  })

  it('are found in every span that has room for three', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 3, max: 20 }), (span, most) => assert.ok(numberTicks(span, most).length > 0))
    )
  })

  it('are where an axis ends that was made round', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e6, max: 1e6 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 2, max: 9 }),
        (from, length, steps) => {
          const span = { from: from / 7, to: (from + length) / 7 }
          const nice = rounded(span, steps)
          assert.ok(nice.from <= span.from + 1e-6 && nice.to >= span.to - 1e-6)
          const ticks = numberTicks(nice, steps + 1)
          for (const [tick, end] of [
            [ticks[0], nice.from],
            [ticks.at(-1), nice.to]
          ] as const) {
            assert.ok(Math.abs((tick as number) - end) < 1e-6, `${ticks} of ${nice.from} to ${nice.to}`)
          }
        }
      )
    )
  })

  it('are not made of what is no number', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined]) {
      assert.equal(drawable(value), undefined)
    }
    assert.equal(drawable(true), 1)
    assert.equal(drawable(Number.MAX_VALUE), 1e300)
  })
})
