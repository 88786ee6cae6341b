import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Exclusion, timetableOf, type Weekday } from './index.ts'
import { ZONES } from './testing/local-clock.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const DAY_MS = 86_400_000

const zone = fc.constantFrom(...ZONES)
/** Within two weeks around changes of clocks in most zones, so that exclusions are met. */
const momentMs = fc
  .integer({ min: Date.UTC(2026, 9, 20) / 1000, max: Date.UTC(2026, 10, 3) / 1000 })
  .map((s) => s * 1000)
const time = fc
  .integer({ min: 0, max: 1439 })
  .map((minute) => Temporal.PlainTime.from('00:00').add({ minutes: minute }).toString().slice(0, 5))
const days = fc.subarray<Weekday>([...DAYS], { minLength: 1 })

/** A due time each second is due at any moment: what is said of that moment. */
function excludedAt(exclusions: Exclusion[], timeZone: string, ms: number): string | undefined {
  const due = timetableOf({ everySeconds: 1, timeZone, dst: 'once', exclusions }).next(ms - 1)
  assert.equal(due?.atMs, ms, 'excluded times are there as well')
  return due?.excluded
}

function localAt(timeZone: string, ms: number): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDateTime()
}

const weekdayOf = (local: Temporal.PlainDateTime): Weekday => DAYS[local.dayOfWeek % 7] as Weekday

describe('an exclusion', () => {
  it('of a date covers what has that date in the zone, in one year or in all', () => {
    fc.assert(
      fc.property(zone, momentMs, fc.integer({ min: -1, max: 1 }), (timeZone, ms, away) => {
        const date = localAt(timeZone, ms).toPlainDate().add({ days: away })
        const covered = away === 0
        assert.equal(excludedAt([{ date: date.toString() }], timeZone, ms), covered ? date.toString() : undefined)
        const everyYear = date.toString().slice(5)
        assert.equal(excludedAt([{ date: everyYear }], timeZone, ms), covered ? everyYear : undefined)
        const lastYear = date.subtract({ years: 1 }).toString()
        assert.equal(excludedAt([{ date: lastYear }], timeZone, ms), undefined)
      })
    )
  })

  it('of two dates covers both of them and those between', () => {
    const away = fc.integer({ min: -3, max: 3 })
    fc.assert(
      fc.property(zone, momentMs, away, fc.nat(3), (timeZone, ms, first, length) => {
        const from = localAt(timeZone, ms).toPlainDate().add({ days: first })
        const to = from.add({ days: length })
        const covered = first <= 0 && first + length >= 0
        assert.equal(
          excludedAt([{ from: `${from}`, to: `${to}` }], timeZone, ms),
          covered ? `${from} to ${to}` : undefined
        )
      })
    )
  })

  it('of two moments covers the first, and not the second', () => {
    fc.assert(
      fc.property(
        zone,
        momentMs,
        fc.integer({ min: -5, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        (timeZone, ms, first, length) => {
          const from = new Date(ms + first * 1000).toISOString()
          const to = new Date(ms + (first + length) * 1000).toISOString()
          const covered = first <= 0 && first + length > 0
          assert.equal(excludedAt([{ from, to }], timeZone, ms), covered ? `${from} to ${to}` : undefined)
        }
      )
    )
  })

  it('of days covers those days of every week', () => {
    fc.assert(
      fc.property(zone, momentMs, days, (timeZone, ms, days) => {
        const covered = days.includes(weekdayOf(localAt(timeZone, ms)))
        assert.equal(excludedAt([{ days }], timeZone, ms), covered ? days.join(', ') : undefined)
      })
    )
  })

  it('of times covers them on the days on which they begin, also past midnight', () => {
    fc.assert(
      fc.property(zone, momentMs, fc.option(days, { nil: undefined }), time, time, (timeZone, ms, days, from, to) => {
        fc.pre(from !== to)
        const local = localAt(timeZone, ms)
        // Looked at as one window that began today, and as one that began yesterday.
        const covered = [0, 1].some((ago) => {
          const begins = local.subtract({ days: ago }).withPlainTime(from)
          const ends = begins.add({ days: from < to ? 0 : 1 }).withPlainTime(to)
          const named = days === undefined || days.includes(weekdayOf(begins))
          return (
            named &&
            Temporal.PlainDateTime.compare(begins, local) <= 0 &&
            Temporal.PlainDateTime.compare(local, ends) < 0
          )
        })
        const words = `${days === undefined ? '' : `${days.join(', ')} `}${from} to ${to}`
        assert.equal(excludedAt([{ days, from, to }], timeZone, ms), covered ? words : undefined)
      }),
      { numRuns: 500 }
    )
  })

  it('without a beginning or an end lasts from midnight, or until midnight', () => {
    const evening = Date.UTC(2026, 10, 16, 22, 30)
    for (const [exclusion, words] of [
      [{ from: '22:00' }, '22:00 to 24:00'],
      [{ from: '22:00', to: '24:00' }, '22:00 to 24:00'],
      [{ to: '22:31' }, '00:00 to 22:31'],
      [{ from: '22:00', to: '00:00' }, '22:00 to 00:00']
    ] as const) {
      assert.equal(excludedAt([exclusion], 'UTC', evening), words)
      assert.equal(
        excludedAt([exclusion], 'UTC', evening + DAY_MS / 12),
        'to' in exclusion && !('from' in exclusion) ? words : undefined
      )
    }
    assert.equal(excludedAt([{ to: '22:30' }], 'UTC', evening), undefined)
  })

  it('is told by its name, and the first of several is told', () => {
    const exclusions = [{ date: '2026-12-26' }, { name: 'Christmas', date: '12-25' }, { days: ['fri' as const] }]
    assert.equal(excludedAt(exclusions, 'UTC', Date.UTC(2026, 11, 25, 8)), 'Christmas (12-25)')
    assert.equal(excludedAt(exclusions, 'UTC', Date.UTC(2026, 11, 18, 8)), 'fri')
  })

  it('leaves an effect of daylight saving where it is', () => {
    const timing = { cron: '30 2 * * *', timeZone: 'Europe/Berlin', dst: 'once' } as const
    const table = timetableOf({ ...timing, exclusions: [{ date: '03-29' }] })
    const atMs = Date.UTC(2026, 2, 29, 1)
    assert.deepEqual(table.next(atMs - 1), { atMs, effect: 'moved', excluded: '03-29' })
  })
})
