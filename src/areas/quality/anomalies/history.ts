import { median, type Sample } from './fit.ts'

export const SEASONS = ['weekday', 'hour'] as const
export type Season = (typeof SEASONS)[number]

interface Timed {
  readonly atMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Of what is measured every day or less often, so many are looked at. */
const MOST_DAILY = 84

/** Of measurements that follow one another far more closely than usual, as by hand, the last counts. */
export function thinned<P extends Timed>(points: readonly P[]): P[] {
  const gaps = new Float64Array(gapsOf(points)).sort()
  const usual = gaps[Math.floor(gaps.length * 0.75)] ?? 0
  return points.filter(({ atMs }, at) => {
    const next = points[at + 1]
    return next === undefined || next.atMs - atMs >= usual / 10
  })
}

const gapsOf = (points: readonly Timed[]): number[] =>
  points.slice(1).map(({ atMs }, at) => atMs - (points[at] as Timed).atMs)

/**
 * Measurements with their places in the season that the time between them suggests: days of weeks, or hours of days. They
 * are counted back from the last one, so that neither zones nor evaluations that are a little late matter.
 */
export function samplesOf(points: readonly (Timed & { readonly value: number })[]) {
  const stepMs = Math.max(1, median(gapsOf(points)))
  const season: Season | null = stepMs > 1.25 * DAY_MS ? null : stepMs >= 0.75 * DAY_MS ? 'weekday' : 'hour'
  const looked = season === 'hour' ? points : points.slice(-MOST_DAILY)
  const lastMs = points.at(-1)?.atMs ?? 0
  const samples = looked.map(({ atMs, value }): Sample => {
    const back = season === null ? 0 : Math.round((lastMs - atMs) / (season === 'hour' ? HOUR_MS : DAY_MS))
    const length = season === 'hour' ? 24 : 7
    return { step: (atMs - lastMs) / stepMs, value, key: back % length, cycle: Math.floor(back / length) }
  })
  return { samples, season, stepMs }
}
