import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LocalClock } from '../../../engines/timetable/testing/local-clock.ts'
import { mutedUntil } from './mute.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WEEK_MINUTES = 7 * 1440

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
type Day = (typeof DAYS)[number]
type Window = { days?: Day[]; from?: string; to?: string }

/** They change at midnight and in the night, by half an hour, one hour and two. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'America/Havana'
] as const
const clocks = new Map<string, LocalClock>(ZONES.map((zone) => [zone, new LocalClock(zone)]))

const textOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const days = fc.subarray<Day>([...DAYS], { minLength: 1 })
const minute = fc.integer({ min: 0, max: 47 }).map((half) => half * 30)
/** Half hours, so that windows often touch each other and changes of clocks. */
const window: fc.Arbitrary<Window> = fc.oneof(
  days.map((some) => ({ days: some })),
  fc
    .tuple(fc.option(days, { nil: undefined }), minute, minute)
    .filter(([, from, to]) => from !== to)
    .map(([some, from, to]) => ({ ...(some && { days: some }), from: textOf(from), to: textOf(to) }))
)

/** What a person would read off a calendar of minutes. */
function isInside({ days = [...DAYS], from = '00:00', to = '24:00' }: Window, shown: number): boolean {
  const at = new Date(shown * MINUTE_MS)
  const [today, time] = [at.getUTCDay(), textOf(shown % 1440)]
  const begins = (day: number) => days.includes(DAYS[(day + 7) % 7] as Day)
  if (from < to) return begins(today) && time >= from && time < to
  return (begins(today) && time >= from) || (begins(today - 1) && time < to)
}

function naive(windows: readonly Window[], clock: LocalClock, now: number): number | undefined {
  for (let at = now; at <= now + WEEK_MINUTES + 1440; at++) {
    const shown = clock.shownAt(at)
    if (!windows.some((window) => isInside(window, shown))) return at
  }
  return undefined
}

describe('a channel with mute windows', () => {
  it('may speak again where a look at every minute says so, also around changes of the clock', () => {
    const zone = fc.constantFrom(...ZONES)
    const moment = fc.tuple(fc.nat(1000), fc.integer({ min: -2000, max: 600 }))
    fc.assert(
      fc.property(
        zone,
        moment,
        fc.array(window, { minLength: 1, maxLength: 4 }),
        (timeZone, [which, away], windows) => {
          const clock = clocks.get(timeZone) as LocalClock
          const now = (clock.changes[which % clock.changes.length] as number) + away
          const expected = naive(windows, clock, now)
          const until = mutedUntil({ muteWindows: windows, timeZone }, now * MINUTE_MS)
          if (expected === now) assert.equal(until, null)
          else assert.equal(until, expected === undefined ? now * MINUTE_MS + HOUR_MS : expected * MINUTE_MS)
        }
      ),
      { numRuns: 200 }
    )
  })

  const at = (text: string) => Date.parse(text)
  const until = (muteWindows: Window[], now: string, timeZone = 'Europe/Berlin') => {
    const ms = mutedUntil({ muteWindows, timeZone }, at(now))
    return ms === null ? null : new Date(ms).toISOString()
  }

  it('waits for the end of the last window that joins the one before', () => {
    const windows: Window[] = [
      { days: ['fri'], from: '22:00', to: '06:00' },
      { days: ['sat'], from: '06:00', to: '12:00' },
      { days: ['sat'], from: '11:00' }
    ]
    assert.equal(until(windows, '2026-03-06T20:59:59.999Z'), null)
    assert.equal(until(windows, '2026-03-06T21:00:00.000Z'), '2026-03-07T23:00:00.000Z')
    assert.equal(until(windows, '2026-03-07T22:59:59.999Z'), '2026-03-07T23:00:00.000Z')
    assert.equal(until(windows, '2026-03-07T23:00:00.000Z'), null)
  })

  it('waits by what the clocks of its zone show, an hour less in the night of spring', () => {
    const night: Window[] = [{ from: '22:00', to: '06:00' }]
    assert.equal(until(night, '2026-03-28T21:30:00.000Z'), '2026-03-29T04:00:00.000Z')
    assert.equal(until(night, '2026-10-24T20:30:00.000Z'), '2026-10-25T05:00:00.000Z')
    assert.equal(until(night, '2026-10-24T20:30:00.000Z', 'UTC'), null)
  })

  it('is looked at every hour where its windows leave no minute, and speaks at any time without windows', () => {
    assert.equal(until([{ days: [...DAYS] }], '2026-03-02T10:20:30.000Z'), '2026-03-02T11:20:30.000Z')
    assert.equal(until([], '2026-03-02T10:20:30.000Z'), null)
  })
})
