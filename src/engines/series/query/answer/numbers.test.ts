import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MAX_NUMBER_BYTES, writeNumber } from './numbers.ts'
import { isoTime } from './times.ts'

function written(value: number): string {
  const bytes = Buffer.alloc(MAX_NUMBER_BYTES)
  return bytes.toString('latin1', 0, writeNumber(bytes, 0, value))
}

describe('numbers of an answer', () => {
  it('are written as JSON writes them', () => {
    const decimals = fc
      .tuple(fc.integer(), fc.integer({ min: 0, max: 12 }))
      .map(([digits, places]) => digits / 10 ** places)
    const wholes = fc.maxSafeInteger()
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true })
    const value = fc.oneof(decimals, wholes, doubles)
    fc.assert(
      fc.property(value, (number) => assert.equal(written(number), JSON.stringify(number))),
      { numRuns: 2000 }
    )
  })

  it('are written so at the edges too', () => {
    const edges = [0, -0, 1e-7, 1e-6, 0.1 + 0.2, 999_999_999.999_999, 1e9, 1e15, 1e15 - 1, 2 ** 53, 1e21, 5e-324]
    for (const edge of [...edges, Number.MAX_VALUE, -1234.5, 123_456_789_012.25]) {
      assert.equal(written(edge), JSON.stringify(edge))
    }
  })
})

describe('times of an answer', () => {
  it('have milliseconds, or as many digits more as they need', () => {
    assert.equal(isoTime(1_767_225_600_000_000_000n), '2026-01-01T00:00:00.000Z')
    assert.equal(isoTime(1_767_225_600_000_001_000n), '2026-01-01T00:00:00.000001Z')
    assert.equal(isoTime(1_767_225_600_120_000_001n), '2026-01-01T00:00:00.120000001Z')
    assert.equal(isoTime(-1n), '1969-12-31T23:59:59.999999999Z')
  })

  it('are those of the runtime', () => {
    const ns = fc.bigInt(-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n)
    fc.assert(
      fc.property(ns, (time) => {
        assert.equal(Temporal.Instant.from(isoTime(time)).epochNanoseconds, time)
      })
    )
  })
})
