import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { logarithmicSpan, logarithmicTicks } from './logarithmic.ts'

const textsOf = (from: number, to: number, most: number, unit?: string) =>
  logarithmicTicks({ from, to }, most, unit).map(({ text }) => text.replaceAll('\u202f', ' '))

describe('a logarithmic axis', () => {
  it('ends at round numbers around the data, unless told otherwise', () => {
    const spanOf = (from: number, to: number, unit?: string) =>
      logarithmicSpan({ from, to }, undefined, undefined, unit)
    assert.deepEqual(spanOf(3, 800_000), { from: 1, to: 1_000_000 })
    assert.deepEqual(spanOf(3, 7), { from: 2, to: 10 })
    assert.deepEqual(spanOf(100, 100), { from: 50, to: 200 })
    assert.deepEqual(spanOf(700, 3_000_000, 'bytes'), { from: 100, to: 10 * 1024 ** 2 })
    assert.deepEqual(logarithmicSpan({ from: 3, to: 7 }, 0.5, 70), { from: 0.5, to: 70 })
    assert.deepEqual(logarithmicSpan({ from: 3, to: 7 }, -1, undefined), { from: 2, to: 10 })
  })

  it('has ticks at the steps of its unit', () => {
    assert.deepEqual(textsOf(1, 1e6, 8), ['1', '10', '100', '1000', '10k', '100k', '1M'])
    assert.deepEqual(textsOf(1, 1e6, 4), ['1', '100', '10k', '1M'])
    assert.deepEqual(textsOf(1, 100, 8), ['1', '2', '5', '10', '20', '50', '100'])
    assert.deepEqual(textsOf(100, 1024 ** 2, 9, 'bytes'), ['100 B', '1 KiB', '10 KiB', '100 KiB', '1 MiB'])
    assert.deepEqual(textsOf(0.1, 86_400, 9, 's'), ['100 ms', '1 s', '10 s', '1 min', '10 min', '1 h', '1 d'])
    assert.deepEqual(textsOf(50, 60, 4), ['50', '55', '60'])
  })

  it('comes to an end at the smallest and the largest numbers there are', () => {
    for (const unit of [undefined, 'bytes', 's', 'ns']) {
      for (const [from, to] of [
        [Number.MIN_VALUE, Number.MAX_VALUE],
        [1, Number.MAX_VALUE],
        [Number.MAX_VALUE / 2, Number.MAX_VALUE],
        [Number.MIN_VALUE, 1e-320]
      ] as const) {
        const span = logarithmicSpan({ from, to }, undefined, undefined, unit)
        assert.ok(logarithmicTicks(span, 9, unit).length <= 9)
        assert.ok(logarithmicTicks(logarithmicSpan({ from, to }, from, to, unit), 9, unit).length <= 9)
      }
    }
  })

  it('holds the data, and has some ticks in order, whatever the numbers are', () => {
    const value = fc.double({ min: 1e-290, max: 1e290, noNaN: true })
    fc.assert(
      fc.property(
        value,
        value,
        fc.integer({ min: 3, max: 9 }),
        fc.constantFrom(undefined, 'bytes', 's'),
        (a, b, most, unit) => {
          const data = { from: Math.min(a, b), to: Math.max(a, b) }
          const span = logarithmicSpan(data, undefined, undefined, unit)
          assert.ok(span.from > 0 && span.from <= data.from * 1.000001 && span.to >= data.to * 0.999999)
          const values = logarithmicTicks(span, most, unit).map((tick) => tick.value)
          assert.ok(values.length >= 1 && values.length <= most, `${values.length}`)
          for (const [i, one] of values.entries()) if (i > 0) assert.ok(one > (values[i - 1] as number))
        }
      )
    )
  })
})
