import type { Due, Timing } from '../timing.ts'
import type { Expression } from './expressions.ts'
import type { LocalClock } from './local-clock.ts'

const MINUTES_BEFORE = 8 * 60
const MINUTES_AFTER = 16 * 60

/** A day around a change of clocks, minute by minute. */
export interface Day {
  readonly firstMinute: number
  /** What the clock shows at each minute. */
  readonly shown: readonly number[]
  /** For minutes that the clock shows twice: which time this is. */
  readonly turn: readonly ('first-of-two' | 'second-of-two' | undefined)[]
  /** What the clock left out when it came to a minute. */
  readonly leftOut: ReadonlyMap<number, readonly number[]>
}

export function dayAround(clock: LocalClock, change: number): Day {
  const firstMinute = change - MINUTES_BEFORE
  const shown = Array.from({ length: MINUTES_BEFORE + MINUTES_AFTER }, (_, i) => clock.shownAt(firstMinute + i))
  const places = Map.groupBy(shown.keys(), (i) => shown[i] as number)
  const turn = shown.map((minute, i) => {
    const [first, second] = places.get(minute) as number[]
    return second === undefined ? undefined : i === first ? 'first-of-two' : 'second-of-two'
  })
  const leftOut = new Map<number, number[]>()
  for (let i = 1; i < shown.length; i++) {
    const left = []
    for (let minute = (shown[i - 1] as number) + 1; minute < (shown[i] as number); minute++) left.push(minute)
    if (left.length > 0) leftOut.set(i, left)
  }
  return { firstMinute, shown, turn, leftOut }
}

export const endMs = (day: Day): number => (day.firstMinute + day.shown.length) * 60_000

/** The first due times of a day after a moment, found by looking at every minute of it. */
export function duesOf(day: Day, expression: Expression, dst: Timing['dst'], afterMs: number, count: number): Due[] {
  const everyHour = expression.hours.every((allowed) => allowed)
  const both = everyHour || dst === 'both'
  const moves = !everyHour && dst !== 'skip'
  const dues: Due[] = []
  const start = Math.max(0, Math.floor(afterMs / 60_000) - day.firstMinute)
  for (let i = start; i < day.shown.length && dues.length < count; i++) {
    const startMs = (day.firstMinute + i) * 60_000
    const moved = moves && day.leftOut.get(i)?.some((minute) => fitsMinute(expression, minute)) === true
    if (moved && startMs > afterMs) dues.push({ atMs: startMs, effect: 'moved' })
    const turn = day.turn[i]
    if (!fitsMinute(expression, day.shown[i] as number) || (turn === 'second-of-two' && !both)) continue
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
      if (!fitsMinute(expression, minute)) continue
      const second = expression.seconds.findIndex((fits, at) => fits && minute * 60_000 + at * 1000 > afterMs)
      if (second >= 0) return minute * 60_000 + second * 1000
    }
  }
}

function fitsMinute(expression: Expression, minute: number): boolean {
  const hours = Math.floor(minute / 60)
  return (
    expression.minutes[minute - hours * 60] === true &&
    expression.hours[((hours % 24) + 24) % 24] === true &&
    expression.fitsDay(Math.floor(hours / 24))
  )
}
