import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseTime } from './times.ts'

const MIDNIGHT = Date.UTC(2026, 10, 17)

describe('the time of an event', () => {
  for (const [text, ms] of [
    ['2026-11-17T00:00:00Z', MIDNIGHT],
    ['2026-11-17T00:00:00.001Z', MIDNIGHT + 1],
    ['2026-11-17T00:00:00.0015Z', MIDNIGHT + 1],
    ['2026-11-17T00:00:00.123456789Z', MIDNIGHT + 123],
    ['2026-11-17T10:00:00.5+10:00', MIDNIGHT + 500],
    ['2026-11-16T18:30:00-0530', MIDNIGHT],
    ['2026-11-17t00:00:00z', MIDNIGHT],
    ['2026-11-17 00:00:00', MIDNIGHT],
    ['2026-11-17T00:00:00.427343', MIDNIGHT + 427],
    ['2026-11-17T00:00Z', MIDNIGHT],
    ['2026-11-17T01:00+01:00[Europe/Berlin]', MIDNIGHT],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['1970-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59.999Z', Date.UTC(10_000, 0) - 1]
  ] as const) {
    it(`is ${text}`, () => assert.equal(parseTime(text), ms))
  }

  for (const text of [
    '',
    'NaN',
    'now',
    '1700000000000',
    '2026-11-17',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-11-17T24:00:00Z',
    '2026-11-17T00:60:00Z',
    '2026-11-17T00:00:61Z',
    '2026-11-17T00:00:00+25:00',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:01',
    '0001-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    ' 2026-11-17T00:00:00Z',
    '2026-11-17T00:00:00Z\n',
    `2026-11-17T00:00:00.${'1'.repeat(100_000)}Z`
  ]) {
    it(`is not ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(parseTime(text), undefined))
  }

  it('is the same for everything that JavaScript writes', () => {
    const time = fc.date({ min: new Date(0), max: new Date(Date.UTC(10_000, 0) - 1), noInvalidDate: true })
    fc.assert(fc.property(time, (date) => assert.equal(parseTime(date.toISOString()), date.getTime())))
  })
})
