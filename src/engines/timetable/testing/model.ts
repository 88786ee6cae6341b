import type { Due, Timing } from '../timing.ts'
import type { Expression } from './expressions.ts'
import type { LocalClock } from './local-clock.ts'

const MINUTES_BEFORE = 8 * 60
const MINUTES_AFTER = 16 * 60

/** What a clock shows. */
interface Shown {
  readonly minute: number
  readonly hour: number
  /** Days since the epoch. */
  readonly day: number
}

/** A day around a change of clocks, minute by minute. */
export interface Day {
  readonly firstMinute: number
  /** What the clock shows at each minute. */
  readonly shown: readonly Shown[]
  /** All days that it shows. */
  readonly days: readonly number[]
  /** For minutes that the clock shows twice: which time this is. */
  readonly turn: readonly ('first-of-two' | 'second-of-two' | undefined)[]
  /** What the clock left out when it came to a minute. */
  readonly leftOut: ReadonlyMap<number, readonly Shown[]>
}

export function dayAround(clock: LocalClock, change: number): Day {
  const firstMinute = change - MINUTES_BEFORE
  const minutes = Array.from({ length: MINUTES_BEFORE + MINUTES_AFTER }, (_, i) => clock.shownAt(firstMinute + i))
  const places = Map.groupBy(minutes.keys(), (i) => minutes[i] as number)
  const turn = minutes.map((minute, i) => {
    const [first, second] = places.get(minute) as number[]
    return second === undefined ? undefined : i === first ? 'first-of-two' : 'second-of-two'
  })
  const leftOut = new Map<number, Shown[]>()
  for (let i = 1; i < minutes.length; i++) {
    const left = []
    for (let minute = (minutes[i - 1] as number) + 1; minute < (minutes[i] as number); minute++)
      left.push(shownBy(minute))
    if (left.length > 0) leftOut.set(i, left)
  }
  const shown = minutes.map(shownBy)
  return { firstMinute, shown, days: [...new Set(shown.map(({ day }) => day))], turn, leftOut }
}

function shownBy(minute: number): Shown {
  const hours = Math.floor(minute / 60)
  return { minute: minute - hours * 60, hour: hours % 24, day: Math.floor(hours / 24) }
}

export const endMs = (day: Day): number => (day.firstMinute + day.shown.length) * 60_000

/** The first due times of a day after a moment, found by looking at every minute of it. */
export function duesOf(day: Day, expression: Expression, dst: Timing['dst'], afterMs: number, count: number): Due[] {
  if (!day.days.some(expression.fitsDay)) return []
  const everyHour = expression.hours.every((allowed) => allowed)
  const both = everyHour || dst === 'both'
  const moves = !everyHour && dst !== 'skip'
  const dues: Due[] = []
  const start = Math.max(0, Math.floor(afterMs / 60_000) - day.firstMinute)
  for (let i = start; i < day.shown.length && dues.length < count; i++) {
    const startMs = (day.firstMinute + i) * 60_000
    const moved = moves && day.leftOut.get(i)?.some((shown) => fitsMinute(expression, shown)) === true
    if (moved && startMs > afterMs) dues.push({ atMs: startMs, effect: 'moved' })
    const turn = day.turn[i]
    if (!fitsMinute(expression, day.shown[i] as Shown) || (turn === 'second-of-two' && !both)) continue
    const effect = turn === 'first-of-two' && !both ? 'only-first' : turn
    for (let second = moved ? 1 : 0; second < 60; second++) {
      const atMs = startMs + second * 1000
      if (expression.seconds[second] && atMs > afterMs) dues.push(effect === undefined ? { atMs } : { atMs, effect })
    }
  }
  return dues.slice(0, count)
}

/** The first time that a clock of UTC shows after one, found by looking at every day, and at every minute of one. */
export function firstShown(expression: Expression, afterMs: number): number {
  for (let day = Math.floor(afterMs / 86_400_000); ; day++) {
    if (!expression.fitsDay(day)) continue
    for (let minute = day * 1440; minute < (day + 1) * 1440; minute++) {
      if (!fitsMinute(expression, shownBy(minute))) continue
      const second = expression.seconds.findIndex((fits, at) => fits && minute * 60_000 + at * 1000 > afterMs)
      if (second >= 0) return minute * 60_000 + second * 1000
    }
  }
}

function fitsMinute(expression: Expression, { minute, hour, day }: Shown): boolean {
  return expression.minutes[minute] === true && expression.hours[hour] === true && expression.fitsDay(day)
}
