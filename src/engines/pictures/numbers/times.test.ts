import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { rangeText, timeText, timeTicks } from './times.ts'

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds
const texts = (from: string, to: string, zone: string, most: number) =>
  timeTicks(ms(from), ms(to), zone, most).map(({ text }) => text)

describe('ticks of times', () => {
  it('are what clocks and calendars of the zone show', () => {
    assert.deepEqual(texts('2026-01-01T10:00:00Z', '2026-01-01T10:00:01Z', 'UTC', 4), [
      '10:00:00',
      '00.500',
      '10:00:01'
    ])
    assert.deepEqual(texts('2026-01-01T10:00:00Z', '2026-01-01T10:01:00Z', 'UTC', 5), [
      '10:00:00',
      '10:00:15',
      '10:00:30',
      '10:00:45',
      '10:01:00'
    ])
    // India is five and a half hours ahead.
    assert.deepEqual(texts('2026-01-01T16:00:00Z', '2026-01-01T20:00:00Z', 'Asia/Kolkata', 5), [
      '22:00',
      '23:00',
      'Jan 2',
      '01:00'
    ])
    assert.deepEqual(texts('2025-11-15T00:00:00Z', '2026-03-15T00:00:00Z', 'UTC', 6), ['Dec', '2026', 'Feb', 'Mar'])
    assert.deepEqual(texts('2001-06-01T00:00:00Z', '2026-06-01T00:00:00Z', 'UTC', 6), [
      '2005',
      '2010',
      '2015',
      '2020',
      '2025'
    ])
  })

  it('show an hour twice that comes twice, and none that does not come', () => {
    // In Berlin clocks go back from 3 to 2 at 01:00 UTC of October 25th, and forward from 2 to 3 on March 29th.
    assert.deepEqual(texts('2026-10-24T23:00:00Z', '2026-10-25T03:00:00Z', 'Europe/Berlin', 6), [
      '01:00',
      '02:00',
      '02:00',
      '03:00',
      '04:00'
    ])
    assert.deepEqual(texts('2026-03-28T23:00:00Z', '2026-03-29T03:00:00Z', 'Europe/Berlin', 6), [
      'Mar 29',
      '01:00',
      '03:00',
      '04:00',
      '05:00'
    ])
    const days = timeTicks(ms('2026-10-23T22:00:00Z'), ms('2026-10-27T23:00:00Z'), 'Europe/Berlin', 6)
    assert.deepEqual(
      days.slice(1).map((tick, i) => (tick.ms - (days[i]?.ms as number)) / 3_600_000),
      [24, 25, 24, 24]
    )
  })

  it('rise, lie within what is shown, and are no more than asked for', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'Asia/Kathmandu',
      'America/St_Johns',
      'Pacific/Apia',
      'No/Where'
    )
    const lengths = fc.integer({ min: 0, max: 47 }).chain((power) => fc.integer({ min: 1, max: 2 ** power }))
    fc.assert(
      fc.property(
        fc.integer({ min: -4e15, max: 8e15 }),
        lengths,
        zones,
        fc.integer({ min: 1, max: 12 }),
        (from, length, zone, most) => {
          const ticks = timeTicks(from, from + length, zone, most)
          assert.ok(ticks.length <= most)
          for (const [i, tick] of ticks.entries()) {
            assert.ok(tick.ms >= from && tick.ms <= from + length && tick.text !== '')
            if (i > 0) assert.ok(tick.ms > (ticks[i - 1]?.ms as number))
          }
        }
      )
    )
  })

  it('are by UTC where there is no such zone, and never beyond the calendar', () => {
    assert.equal(timeText(0, 'No/Where'), '1970-01-01 00:00:00')
    assert.equal(timeText(Number.POSITIVE_INFINITY, 'UTC').length > 0, true)
    assert.ok(Array.isArray(timeTicks(-1e300, 1e300, 'UTC', 5)))
  })
})

describe('a range of times', () => {
  it('says what has to be known and no more', () => {
    const range = (from: string, to: string) => rangeText(ms(from), ms(to), 'Europe/Berlin')
    assert.equal(range('2026-01-01T10:00:00Z', '2026-01-01T12:30:00Z'), 'Jan 1, 2026 11:00 – 13:30 · Europe/Berlin')
    assert.equal(
      range('2026-01-01T10:00:00Z', '2026-01-03T10:00:00Z'),
      'Jan 1 11:00 – Jan 3, 2026 11:00 · Europe/Berlin'
    )
  })
})
