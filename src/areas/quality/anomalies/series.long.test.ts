import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHANGES, FORMS, type MadeSeries, type Makings, makeSeries } from '../testing/series.ts'
import type { Point } from './detect.ts'
import { type Anomaly, follow } from './follow.ts'

const DAY_MS = 86_400_000
/** A change is found where it is told within so many days. */
const FOUND_WITHIN_DAYS = 14
/** In which nothing is told yet: they do not count. */
const SILENT_DAYS = 14
const MONTH_MS = 30 * DAY_MS
/** Series that do not change. */
const STEADY = 100

/** The numbers in the detector were set before any series was made, and have not been changed since. */
const FIRST: Makings = {
  seed: 1,
  daysBefore: [45, 90],
  daysAfter: 21,
  level: [800, 3000],
  noise: [0.01, 0.05],
  season: [6, 12],
  jump: [7, 15],
  driftPerDay: [0.5, 1.5],
  variance: [5, 10],
  missing: [0.05, 0.25],
  tails: 3
}

/** Other seeds, lengths, levels, sizes and tails: whoever changes the detector for the sake of the first leaves this one alone. */
const SECOND: Makings = {
  seed: 77,
  daysBefore: [35, 120],
  daysAfter: 21,
  level: [300, 9000],
  noise: [0.005, 0.08],
  season: [5, 20],
  jump: [6, 25],
  driftPerDay: [0.4, 2],
  variance: [4, 12],
  missing: [0.1, 0.35],
  tails: 4
}

/** Times at which an anomaly begins, one evaluation after the other as the server does it. */
function alarmsOf({ points, unit }: MadeSeries): number[] {
  let history: Point[] = []
  let anomaly: Anomaly | null = null
  const alarms: number[] = []
  for (const point of points) {
    const followed = follow(history.slice(-200), anomaly, point, unit)
    if (followed.anomaly !== null && anomaly === null) alarms.push(point.atMs)
    anomaly = followed.anomaly
    history.push({ ...point, oddity: followed.oddity })
    const { learnsFromMs } = followed
    if (learnsFromMs !== null) {
      history = history.filter(({ atMs }) => atMs >= learnsFromMs).map((one) => ({ ...one, oddity: 0 }))
    }
  }
  return alarms
}

/** 200 series that change, and 100 that do not. */
function tally(makings: Makings) {
  const changing = Array.from({ length: 220 }, (_, at) => {
    const change = CHANGES[at % CHANGES.length] ?? 'jump'
    const form = FORMS[Math.floor(at / CHANGES.length) % FORMS.length] ?? 'flat'
    return makeSeries(makings, form, change, at)
  })
    // What is about zero has no season, and can’t drop.
    .filter(({ form, change }) => form !== 'counts' || (change !== 'dropToZero' && change !== 'missingSeason'))
    .slice(0, 200)
  const steady = Array.from({ length: STEADY }, (_, at) =>
    makeSeries(makings, FORMS[at % FORMS.length] ?? 'flat', null, 1000 + at)
  )
  let [found, falseAlarms, days, twice] = [0, 0, 0, 0]
  const missed: string[] = []
  const noisy: Record<string, number> = {}
  for (const series of [...changing, ...steady]) {
    const alarms = alarmsOf(series)
    const before = alarms.filter((atMs) => series.change === null || atMs < series.changesAtMs)
    falseAlarms += before.length
    noisy[series.form] = (noisy[series.form] ?? 0) + before.length
    const own = series.daysBefore + (series.change === null ? makings.daysAfter : 0) - SILENT_DAYS
    days += own
    if (before.some((atMs, at) => (before[at + 1] ?? Number.POSITIVE_INFINITY) - atMs < MONTH_MS)) twice++
    if (series.change === null) continue
    const untilMs = series.changesAtMs + FOUND_WITHIN_DAYS * DAY_MS
    if (alarms.some((atMs) => atMs >= series.changesAtMs && atMs < untilMs)) found++
    else missed.push(`${series.form} ${series.change}`)
  }
  return {
    changes: changing.length,
    share: found / changing.length,
    perMonth: (falseAlarms / days) * 30,
    twice,
    missed,
    noisy
  }
}

describe('anomalies in made series', () => {
  for (const [name, makings] of Object.entries({ first: FIRST, second: SECOND })) {
    it(`are found in the ${name} 200, with few false alarms`, (test) => {
      const { changes, share, perMonth, twice, missed, noisy } = tally(makings)
      test.diagnostic(
        `${(share * 100).toFixed(1)} % of ${changes} changes found, ${perMonth.toFixed(3)} false alarms a month, more than one within a month in ${twice} of ${changes + STEADY} series`
      )
      test.diagnostic(`false alarms by form: ${JSON.stringify(noisy)}; missed: ${missed.join(', ')}`)
      assert.ok(share >= 0.95, missed.join(', '))
      assert.ok(perMonth <= 0.25)
      assert.ok(twice <= 0.05 * (changes + STEADY))
    })
  }
})
