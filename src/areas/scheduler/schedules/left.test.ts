import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Timing, timetableOf } from '../../../engines/timetable/index.ts'
import { Problem } from '../errors.ts'
import { requireSomeLeft } from './left.ts'

/** A Saturday. */
const NOW = Date.parse('2026-03-07T00:00:00Z')
const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const timingOf = (when: Partial<Timing>, ...exclusions: Timing['exclusions']): Timing =>
  ({ timeZone: 'UTC', dst: 'once', ...when, exclusions }) as Timing

function isRefused(timing: Timing): boolean {
  try {
    requireSomeLeft(timing, NOW)
    return false
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.deepEqual(error.errors?.[0]?.pointer, '/exclusions')
    assert.match(String(error.errors?.[0]?.message), /must leave a due time to run/)
    return true
  }
}

describe('exclusions', () => {
  it('that leave nothing are refused', () => {
    const all = { days: [...WEEK] }
    for (const when of [{ everySeconds: 1 }, { everySeconds: 86_400 }, { cron: '*/5 * * * *' }]) {
      assert.ok(isRefused(timingOf(when, all)), JSON.stringify(when))
    }
    assert.ok(isRefused(timingOf({ cron: '0 6 25 12 *' }, { date: '12-25' })))
    assert.ok(isRefused(timingOf({ cron: '0 6 * * sat,sun' }, { days: ['sat', 'sun'] })))
    assert.ok(isRefused(timingOf({ at: '2026-03-08T10:00:00Z' }, { date: '2026-03-08' })))
    assert.ok(isRefused(timingOf({ everySeconds: 60 }, { days: [...WEEK], from: '00:00', to: '12:00' }, all)))
  })

  it('that leave something later are taken, however many due times come before', () => {
    for (const everySeconds of [1, 60, 3600]) {
      const weekend = { days: ['sat', 'sun'] } as const
      assert.ok(!isRefused(timingOf({ everySeconds }, weekend)))
      assert.ok(!isRefused(timingOf({ everySeconds }, { from: '2026-03-01', to: '2026-12-31' }, weekend)))
      const narrow = { days: [...WEEK], from: '10:01', to: '10:00' }
      if (everySeconds < 3600) assert.ok(!isRefused(timingOf({ everySeconds }, narrow)))
    }
  })

  it('are never refused where a due time of the next week would run', () => {
    const time = fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((n) => String(n).padStart(2, '0')).join(':'))
    const window = fc
      .record({ days: fc.subarray([...WEEK], { minLength: 1 }), from: time, to: time })
      .filter(({ from, to }) => from !== to)
    fc.assert(
      fc.property(
        fc.constantFrom(60, 300, 3600),
        fc.array(window, { minLength: 1, maxLength: 6 }),
        (every, windows) => {
          const timing = timingOf({ everySeconds: every }, ...windows)
          const timetable = timetableOf(timing)
          let isLeft = false
          for (let due = timetable.next(NOW); due !== undefined && due.atMs < NOW + 7 * 86_400_000; ) {
            if (due.excluded === undefined) isLeft = true
            due = isLeft ? undefined : timetable.next(due.atMs)
          }
          assert.equal(isRefused(timing), !isLeft)
        }
      ),
      { numRuns: 50 }
    )
  })
})
