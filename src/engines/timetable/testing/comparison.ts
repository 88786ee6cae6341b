import assert from 'node:assert/strict'
import { CronExpressionParser } from 'cron-parser'
import { between, pick, type Random } from '../../seeded-random.ts'
import { type Due, type Timetable, type Timing, timetableOf } from '../index.ts'
import type { Expression } from './expressions.ts'
import { LocalClock, ZONES } from './local-clock.ts'
import { type Day, dayAround, duesOf, endMs, firstShown } from './model.ts'

const DST = ['skip', 'once', 'both'] as const
const COUNT = 4

/** The clocks of the zones; what they show on the day of a change is found when it is asked for, which takes a while. */
export function makeClocks(): { clock: LocalClock; dayOf: (change: number) => Day }[] {
  return ZONES.map((zone) => {
    const clock = new LocalClock(zone)
    const known = new Map<number, Day>()
    const dayOf = (change: number) => {
      const day = known.get(change) ?? dayAround(clock, change)
      known.set(change, day)
      return day
    }
    return { clock, dayOf }
  })
}

function timetable(cron: string, timeZone: string, dst: Timing['dst']): Timetable {
  return timetableOf({ cron, timeZone, dst, exclusions: [] })
}

/** Compares with the model on the day of a change: from before it, from the change itself, and from later.
 * Answers with what was compared: where a day does not fit there is nothing. */
export function compareOnDay(random: Random, expression: Expression, clock: LocalClock, day: Day): Due[] {
  const compared: Due[] = []
  const dst = pick(random, DST)
  const table = timetable(expression.text, clock.zone, dst)
  const changeMs = day.firstMinute * 60_000 + 8 * 3_600_000
  const starts = [
    changeMs - between(random, 1, 3 * 3_600_000),
    changeMs - 1,
    changeMs + between(random, 0, 3 * 3_600_000)
  ]
  for (const afterMs of starts) {
    const expected = duesOf(day, expression, dst, afterMs, COUNT)
    const found = take(table, afterMs, COUNT)
    const within = found.filter((due) => due.atMs < endMs(day))
    assertSame(within, expected, [expression.text, clock.zone, dst], afterMs)
    compared.push(...within)
  }
  return compared
}

/** Compares with the model on a clock that is never changed, from any time on. */
export function compareUnchanged(random: Random, expression: Expression): void {
  const afterMs = between(random, 0, Date.UTC(2060, 0, 1))
  const found = take(timetable(expression.text, 'UTC', 'skip'), afterMs, 1)
  assertSame(found, [{ atMs: firstShown(expression, afterMs) }], [expression.text], afterMs)
}

/** Compares with the times that cron-parser finds on clocks, from a time on that is not near a change. */
export function compareWithParser(random: Random, expression: Expression, clocks: readonly LocalClock[]): void {
  const shownMs = between(random, Date.UTC(2020, 0, 4) / 1000, Date.UTC(2030, 11, 1) / 1000) * 1000
  const parsed = CronExpressionParser.parse(expression.text, { tz: 'UTC', currentDate: new Date(shownMs) })
  const shown = Array.from({ length: COUNT + 1 }, () => parsed.next().getTime())
  const utc = take(timetable(expression.text, 'UTC', 'skip'), shownMs, COUNT + 1)
  const inUtc = shown.map((atMs) => ({ atMs }))
  assertSame(utc, inUtc, [expression.text], shownMs)
  for (const clock of clocks) {
    if (clock.changes.some((change) => Math.abs(change - shownMs / 60_000) < 4 * 1440)) continue
    const dst = pick(random, DST)
    const [minute] = clock.momentsOf(Math.floor(shownMs / 60_000)) as [number]
    const afterMs = minute * 60_000 + (shownMs % 60_000)
    const expected = duesShown(clock, expression, dst, shown)
    const found = take(timetable(expression.text, clock.zone, dst), afterMs, expected.length)
    assertSame(found, expected, [expression.text, clock.zone, dst], afterMs)
  }
}

/** The due times of what clocks show, up to the last of it. */
function duesShown(clock: LocalClock, expression: Expression, dst: Timing['dst'], shown: readonly number[]): Due[] {
  const everyHour = expression.hours.every((allowed) => allowed)
  const dues = new Map<number, Due>()
  for (const shownMs of shown) {
    const minute = Math.floor(shownMs / 60_000)
    const moments = clock.momentsOf(minute).map((moment) => moment * 60_000 + (shownMs % 60_000))
    const [first, second] = moments
    if (first === undefined) {
      const atMs = clock.leftOutUntil(minute) * 60_000
      if (!everyHour && dst !== 'skip') dues.set(atMs, { atMs, effect: 'moved' })
    } else if (second === undefined) {
      if (!dues.has(first)) dues.set(first, { atMs: first })
    } else if (everyHour || dst === 'both') {
      dues.set(first, { atMs: first, effect: 'first-of-two' })
      dues.set(second, { atMs: second, effect: 'second-of-two' })
    } else {
      dues.set(first, { atMs: first, effect: 'only-first' })
    }
  }
  const endMs = clock.earliestOf(Math.floor((shown.at(-1) as number) / 60_000)) * 60_000
  return [...dues.values()].filter(({ atMs }) => atMs < endMs).sort((a, b) => a.atMs - b.atMs)
}

/** As assert.deepEqual, in a tenth of the time. */
function assertSame(found: readonly Due[], expected: readonly Due[], what: readonly string[], afterMs: number): void {
  const same = expected.every((due, i) => due.atMs === found[i]?.atMs && due.effect === found[i]?.effect)
  if (same && found.length === expected.length) return
  assert.deepEqual(found, expected, `${what.join(' ')} after ${new Date(afterMs).toISOString()}`)
}

function take(table: Timetable, afterMs: number, count: number): Due[] {
  const dues: Due[] = []
  while (dues.length < count) {
    const due = table.next(dues.at(-1)?.atMs ?? afterMs)
    if (due === undefined) break
    dues.push(due)
  }
  return dues
}
