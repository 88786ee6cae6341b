import type { Unit } from '../words.ts'
import { type Fit, fit, LEAST_CYCLES } from './fit.ts'
import { type Season, samplesOf, thinned } from './history.ts'

/** What makes a measurement odd: by itself, together with those before it, or how far they are scattered. */
export const ANOMALY_KINDS = ['value', 'shift', 'spread'] as const
export type AnomalyKind = (typeof ANOMALY_KINDS)[number]

/** 1 for what is odd by itself, 2 for what is odd together with those before it. */
export type Oddity = 0 | 1 | 2

export interface Point {
  readonly atMs: number
  readonly value: number
  readonly oddity: Oddity
}

/** What was expected, and why. */
export interface Expectation {
  readonly value: number
  readonly low: number
  readonly high: number
  /** Measurements that it follows from. */
  readonly points: number
  readonly season: Season | null
  readonly trendPerDay: number
}

export interface Finding {
  readonly expected: Expectation
  /** Null where the measurement is as expected. */
  readonly kind: AnomalyKind | null
}

/** Nothing is said before there are so many. */
const LEAST_POINTS = 14
/** Measurements that are looked at together. */
const RECENT = 7
const LEAST_RECENT = 5

/** Standard deviations from what is expected at which a single measurement is odd; and times the furthest before. */
const FAR = 5
const FURTHER = 1.5
/** Standard deviations of their mean at which several are odd together. */
const SHIFTED = 4
/** So many of the recent ones, on both sides, so far off: they are scattered more than before. */
const SCATTERED = 4
const SCATTERED_BY = 2.5

const DAY_MS = 86_400_000

/** Undefined while there is too little to tell what is usual. */
export function detect(history: readonly Point[], now: Omit<Point, 'oddity'>, unit: Unit): Finding | undefined {
  const all = thinned([...history, { ...now, oddity: 0 as const }])
  const before = all.slice(0, -1)
  const usual = before.filter(({ oddity }) => oddity === 0)
  if (usual.length < LEAST_POINTS) return undefined
  const { samples, season, stepMs } = samplesOf([...usual, ...all.slice(-1)])
  const at = samples.at(-1) as (typeof samples)[number]
  const known = fit(samples.slice(0, -1))
  const value = known.expectedAt(at)
  const band = bandOf(known, at, value, unit)
  // Whatever is counted or measured is never less than nothing.
  const low = Math.max(0, value - band)
  const expected: Expectation = {
    value: Math.max(0, value),
    low,
    high: Math.max(0, value + band),
    points: known.points,
    season: known.isSeasonal ? season : null,
    trendPerDay: (known.trendPerStep * DAY_MS) / stepMs
  }
  const isOdd = now.value < low || now.value > expected.high
  return { expected, kind: isOdd ? 'value' : together(before, now, unit) }
}

type Place = Parameters<Fit['expectedAt']>[0]

function bandOf(known: Fit, at: Place, value: number, unit: Unit): number {
  return Math.max(FAR * known.scale * known.uncertaintyAt(at), FURTHER * known.furthest, leastBand(unit, value))
}

/** Less than this is nothing that anybody wants to be told, however constant it was. */
function leastBand(unit: Unit, value: number): number {
  const size = Math.abs(value)
  const own: Readonly<Record<Unit, number>> = {
    rows: 3 * Math.sqrt(Math.max(1, size)),
    percent: 0.5,
    seconds: 60,
    columns: 0.5,
    psi: 0.02,
    ks: 0.02,
    cramersV: 0.02
  }
  return Math.max(own[unit], size / 50)
}

/** Looks at the last measurements as one, with what was usual before them. */
function together(before: readonly Point[], now: Omit<Point, 'oddity'>, unit: Unit): AnomalyKind | null {
  const recent = [...before.slice(1 - RECENT), { ...now, oddity: 0 as const }]
  const usual = before.slice(0, 1 - RECENT).filter(({ oddity }) => oddity === 0)
  if (usual.length < LEAST_POINTS) return null
  const { samples, season } = samplesOf([...usual, ...recent])
  // A night is no shift: as long as a season could not have been seen, several in a row say nothing.
  if (season !== null && (samples[0]?.cycle ?? 0) < LEAST_CYCLES) return null
  const known = fit(samples.slice(0, -recent.length))
  const offs = samples.slice(-recent.length).map((at) => {
    const expected = known.expectedAt(at)
    const scale = Math.max(known.scale, leastBand(unit, expected) / FAR)
    return (at.value - expected) / scale
  })
  const scattered = offs.filter((off) => Math.abs(off) > SCATTERED_BY)
  if (scattered.length >= SCATTERED && scattered.some((off) => off < 0) && scattered.some((off) => off > 0)) {
    return 'spread'
  }
  // What is odd by itself was told by itself.
  const own = offs.filter((_, at) => recent[at]?.oddity !== 1).map((off) => Math.max(-FAR + 1, Math.min(FAR - 1, off)))
  if (own.length < LEAST_RECENT) return null
  const mean = own.reduce((sum, off) => sum + off, 0) / own.length
  return Math.abs(mean) > SHIFTED * meanError(known, own.length) ? 'shift' : null
}

/** Of the mean of recent measurements, in standard deviations of one: that of the level and that of the trend add to it. */
function meanError({ points, trendPerStep }: Fit, recent: number): number {
  const level = Math.PI / 2 / points
  const distance = points / 2 + recent / 2
  const trend = trendPerStep === 0 ? 0 : (distance ** 2 * Math.PI) / (points / 2) ** 3
  return Math.sqrt(1 / recent + level + trend)
}
