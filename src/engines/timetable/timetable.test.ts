import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Timing, timetableOf } from './index.ts'
import { ZONES } from './testing/local-clock.ts'

const MIN = Date.UTC(2020, 0, 1)
const MAX = Date.UTC(2031, 0, 1)
const moment = fc.integer({ min: MIN, max: MAX })
const zone = fc.constantFrom(...ZONES)
const dst = fc.constantFrom('skip', 'once', 'both')
const everySeconds = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 31_536_000 }))
const what = fc.oneof(
  everySeconds.map((everySeconds) => ({ everySeconds })),
  fc.constantFrom('*/5 * * * *', '30 1-3 * * *', '0 0 L * *', '15 2 * * sun', '7 7 */2 * * *').map((cron) => ({ cron }))
)

const iso = (ms: number): string => new Date(ms).toISOString()

function tableOf(timing: Partial<Timing>) {
  return timetableOf({ timeZone: 'UTC', dst: 'once', exclusions: [], ...timing })
}

describe('a timetable', () => {
  it('has the same times wherever one asks from', () => {
    fc.assert(
      fc.property(
        what,
        zone,
        dst,
        moment,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (what, timeZone, dst, at, part) => {
          const table = tableOf({ ...what, timeZone, dst })
          const due = table.next(at)
          assert.ok(due !== undefined && due.atMs > at)
          assert.deepEqual(table.next(at + Math.floor((due.atMs - 1 - at) * part)), due)
          assert.deepEqual(table.next(due.atMs - 1), due)
        }
      ),
      { numRuns: 1000 }
    )
  })

  it('begins at startAt and ends before endAt, and is otherwise the same', () => {
    fc.assert(
      fc.property(what, zone, dst, moment, moment, moment, (what, timeZone, dst, at, a, b) => {
        fc.pre(a !== b)
        const [start, end] = a < b ? [a, b] : [b, a]
        // The start is what seconds are counted from.
        const anchor = 'everySeconds' in what ? { startAt: iso(start) } : {}
        const whole = tableOf({ ...what, ...anchor, timeZone, dst })
        const expected = whole.next(Math.max(at, start - 1))
        const due = tableOf({ ...what, timeZone, dst, startAt: iso(start), endAt: iso(end) }).next(at)
        assert.deepEqual(due, expected !== undefined && expected.atMs < end ? expected : undefined)
      }),
      { numRuns: 1000 }
    )
  })

  it('includes its start and leaves out its end', () => {
    const daily = { cron: '0 3 * * *', startAt: '2026-05-01T03:00:00Z', endAt: '2026-05-03T03:00:00Z' }
    const table = tableOf(daily)
    assert.deepEqual(table.next(0), { atMs: Date.UTC(2026, 4, 1, 3) })
    assert.deepEqual(table.next(Date.UTC(2026, 4, 1, 3)), { atMs: Date.UTC(2026, 4, 2, 3) })
    assert.equal(table.next(Date.UTC(2026, 4, 2, 3)), undefined)
  })

  it('of seconds counts from startAt, or from the epoch', () => {
    fc.assert(
      fc.property(everySeconds, moment, fc.option(moment, { nil: undefined }), (everySeconds, at, start) => {
        const due = tableOf({ everySeconds, startAt: start === undefined ? undefined : iso(start) }).next(at)
        assert.ok(due !== undefined)
        const anchor = start ?? 0
        assert.equal((due.atMs - anchor) % (everySeconds * 1000), 0)
        assert.ok(due.atMs > at && due.atMs >= anchor)
        assert.ok(due.atMs - everySeconds * 1000 <= at || due.atMs === anchor, 'none is left out')
      })
    )
  })

  it('of one moment has that one', () => {
    fc.assert(
      fc.property(moment, moment, zone, dst, (at, after, timeZone, dst) => {
        const due = tableOf({ at: iso(at), timeZone, dst }).next(after)
        assert.deepEqual(due, after < at ? { atMs: at } : undefined)
      })
    )
    const inBerlin = tableOf({ at: '2026-10-25t02:30:00.5+01:00', timeZone: 'Europe/Berlin' })
    assert.deepEqual(inBerlin.next(0), { atMs: Date.UTC(2026, 9, 25, 1, 30, 0, 500) })
  })

  it('ends with the year 2999', () => {
    for (const what of [{ cron: '0 0 1 1 *' }, { everySeconds: 31_536_000 }]) {
      assert.ok(tableOf(what).next(Date.UTC(2998, 0, 1)) !== undefined)
      assert.equal(tableOf(what).next(Date.UTC(2999, 11, 31)), undefined)
      assert.equal(tableOf(what).next(Number.POSITIVE_INFINITY), undefined)
    }
  })
})

describe('a cron expression', () => {
  const next = (cron: string, after: string) =>
    iso(tableOf({ cron }).next(Date.parse(after))?.atMs as number).slice(0, 19)

  it('may be one of the names', () => {
    const meanings = {
      '@yearly': '0 0 1 1 *',
      '@Annually': '0 0 1 1 *',
      '@monthly': '0 0 1 * *',
      '@weekly': '0 0 * * 0',
      '@daily': '0 0 * * *',
      '@midnight': '0 0 * * *',
      '@HOURLY': '0 * * * *'
    }
    fc.assert(
      fc.property(fc.constantFrom(...Object.entries(meanings)), moment, ([name, cron], at) => {
        assert.deepEqual(tableOf({ cron: name }).next(at), tableOf({ cron }).next(at))
      })
    )
  })

  it('fits a day of one kind where both are given', () => {
    assert.equal(next('0 0 13 * fri', '2026-11-08T00:00:00Z'), '2026-11-13T00:00:00')
    assert.equal(next('0 0 13 * fri', '2026-11-13T00:00:00Z'), '2026-11-20T00:00:00')
    assert.equal(next('0 0 13 * fri', '2026-12-11T00:00:00Z'), '2026-12-13T00:00:00')
    assert.equal(next('0 0 */30 * mon', '2026-12-07T00:00:00Z'), '2026-12-14T00:00:00')
  })

  it('does not miss the first of March where the 31st is given too', () => {
    assert.equal(next('0 0 1,31 * *', '2030-02-10T00:00:00Z'), '2030-03-01T00:00:00')
    assert.equal(next('0 0 1,2,30 * *', '2030-02-10T00:00:00Z'), '2030-03-01T00:00:00')
  })

  it('may wait 40 years for its day', () => {
    const leapDays = Array.from({ length: 210 }, (_, i) => new Date(Date.UTC(1970 + i, 1, 29))).filter(
      (date) => date.getUTCMonth() === 1
    )
    for (let weekday = 0; weekday < 7; weekday++) {
      const expected = leapDays.filter((date) => date.getUTCDay() === weekday).map((date) => date.getTime())
      const table = tableOf({ cron: `0 0 * 2 ${weekday}#5` })
      for (const [i, atMs] of expected.entries()) assert.deepEqual(table.next(expected[i - 1] ?? 0), { atMs })
    }
  })

  it('is what croner is loaded for, and nothing else', () => {
    const script = `
      import { createRequire } from 'node:module'
      const { timetableOf } = await import('./src/engines/timetable/index.ts')
      const { cache } = createRequire(import.meta.url)
      const loaded = () => Object.keys(cache).some((path) => path.includes('croner'))
      const rest = { timeZone: 'Europe/Berlin', dst: 'once', exclusions: [] }
      timetableOf({ everySeconds: 60, ...rest }).next(0)
      console.log(loaded())
      timetableOf({ cron: '* * * * *', ...rest }).next(0)
      console.log(loaded())`
    assert.equal(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
      'false\ntrue\n'
    )
  })
})
