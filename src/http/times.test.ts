import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isoOfNs, parseDuration, parseTime, timeBefore } from './times.ts'

const NOW_MS = Date.parse('2024-03-31T12:30:45.678Z')
const isoOf = (text: string) => {
  const ns = parseTime(text, NOW_MS)
  return ns === undefined ? undefined : isoOfNs(ns)
}

describe('durations', () => {
  it('are a whole number and a unit', () => {
    for (const unit of ['ms', 's', 'm', 'h', 'd', 'w', 'mo', 'y'] as const) {
      assert.deepEqual(parseDuration(`15${unit}`), { count: 15, unit })
    }
    for (const text of ['', '5', 'm', '0m', '05m', '-5m', '1.5h', '5 m', '5M', '5min', '5m5s', '1e3s', '1234567890s']) {
      assert.equal(parseDuration(text), undefined, text)
    }
  })

  it('go back by the calendar where they are months and years', () => {
    const before = (ms: string, text: string) => timeBefore(Date.parse(ms), parseDuration(text) as never)
    assert.equal(before('2024-03-31T08:00:00Z', '1mo'), Date.parse('2024-02-29T08:00:00Z'))
    assert.equal(before('2024-02-29T08:00:00Z', '1y'), Date.parse('2023-02-28T08:00:00Z'))
    assert.equal(before('2024-01-15T08:00:00Z', '14mo'), Date.parse('2022-11-15T08:00:00Z'))
    assert.equal(before('2024-01-15T08:00:00Z', '999999999y'), undefined)
  })
})

describe('times', () => {
  it('are now, so long ago, or a moment', () => {
    for (const [text, expected] of [
      ['now', '2024-03-31T12:30:45.678Z'],
      ['-0s', '2024-03-31T12:30:45.678Z'],
      ['-250ms', '2024-03-31T12:30:45.428Z'],
      ['-90s', '2024-03-31T12:29:15.678Z'],
      ['-15m', '2024-03-31T12:15:45.678Z'],
      ['-24h', '2024-03-30T12:30:45.678Z'],
      ['-7d', '2024-03-24T12:30:45.678Z'],
      ['-2w', '2024-03-17T12:30:45.678Z'],
      ['-1mo', '2024-02-29T12:30:45.678Z'],
      ['-4y', '2020-03-31T12:30:45.678Z'],
      ['2024-01-01', '2024-01-01T00:00:00.000Z'],
      ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000Z'],
      ['2024-01-01T00:00:00+05:30', '2023-12-31T18:30:00.000Z'],
      ['2024-01-01T00:00:00.1Z', '2024-01-01T00:00:00.100Z'],
      ['2024-01-01T00:00:00.000001Z', '2024-01-01T00:00:00.000001Z'],
      ['1969-12-31T23:59:59.999999999Z', '1969-12-31T23:59:59.999999999Z']
    ] as const) {
      assert.equal(isoOf(text), expected, text)
    }
  })

  it('are nothing else', () => {
    for (const text of [
      '',
      'Now',
      'yesterday',
      '1h',
      '+1h',
      '- 1h',
      '-1',
      '-h',
      '-1.5h',
      '-1M',
      '-1234567890s',
      '-999999999y',
      '2024-02-30',
      '2024-13-01T00:00:00Z',
      '2024-01-01T00:00:00',
      '2024-01-01T24:00:01Z',
      '2016-12-31T23:59:60Z',
      '2024-01-01T00:00:00.1234567890Z',
      '2024-01-01T00:00:00Z[Europe/Berlin]',
      '2024-01-01t00:00:00z',
      '1704067200',
      '1600-01-01T00:00:00Z',
      '2300-01-01T00:00:00Z'
    ]) {
      assert.equal(parseTime(text, NOW_MS), undefined, text)
    }
  })

  it('come back from text as they were', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (ns) => {
        assert.equal(parseTime(isoOfNs(ns), NOW_MS), ns)
      })
    )
  })
})
