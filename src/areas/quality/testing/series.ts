import type { Unit } from '../words.ts'

/** What is to be different from a time on. */
export const CHANGES = ['jump', 'dropToZero', 'drift', 'variance', 'missingSeason'] as const
export type SeriesChange = (typeof CHANGES)[number]

export const FORMS = [
  'flat',
  'noisy',
  'weekly',
  'trend',
  'gaps',
  'heavyTails',
  'counts',
  'percents',
  'repeated'
] as const
export type SeriesForm = (typeof FORMS)[number]

export interface MadeSeries {
  readonly form: SeriesForm
  readonly change: SeriesChange | null
  readonly unit: Unit
  readonly points: readonly { readonly atMs: number; readonly value: number }[]
  /** When it changes; at the end where it does not. */
  readonly changesAtMs: number
  readonly daysBefore: number
}

/** How large things are; each pair is the least and the greatest. */
export interface Makings {
  readonly seed: number
  readonly daysBefore: readonly [number, number]
  readonly daysAfter: number
  readonly level: readonly [number, number]
  /** Of the level. */
  readonly noise: readonly [number, number]
  /** In standard deviations of the noise. */
  readonly season: readonly [number, number]
  readonly jump: readonly [number, number]
  readonly driftPerDay: readonly [number, number]
  /** Times the standard deviation. */
  readonly variance: readonly [number, number]
  /** Of all days. */
  readonly missing: readonly [number, number]
  /** Degrees of freedom of Student’s distribution. */
  readonly tails: number
}

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 0, 1, 6)

/** Daily evaluations, with or without a change that is known. */
export function makeSeries(
  makings: Makings,
  form: SeriesForm,
  change: SeriesChange | null,
  number: number
): MadeSeries {
  const random = new Random(makings.seed * 1_000_003 + number * 7919)
  const daysBefore = Math.round(random.between(makings.daysBefore))
  const level = random.between(makings.level)
  const sd = level * random.between(makings.noise) * (form === 'noisy' ? 3 : form === 'flat' ? 0.2 : 1)
  const isSeasonal = form === 'weekly' || change === 'missingSeason'
  const amplitude = isSeasonal ? sd * random.between(makings.season) * 2 : 0
  const isWeekend = random.next() < 0.5
  const slope = form === 'trend' ? (random.next() < 0.5 ? -0.3 : 1) * (level / 200) : 0
  const sign = random.next() < 0.5 ? -1 : 1
  const [jump, driftPerDay, factor] = [makings.jump, makings.driftPerDay, makings.variance].map((pair) =>
    random.between(pair)
  ) as [number, number, number]
  const missing = form === 'gaps' ? random.between(makings.missing) : 0
  const points: { atMs: number; value: number }[] = []
  for (let day = 0; day < daysBefore + makings.daysAfter; day++) {
    const since = day - daysBefore
    const isChanged = change !== null && since >= 0
    const weekday = day % 7
    const wave = isWeekend ? (weekday >= 5 ? -1 : 0) : Math.sin((2 * Math.PI * weekday) / 7) / 1.5
    const season = isChanged && change === 'missingSeason' ? 0 : amplitude * wave
    const spread = isChanged && change === 'variance' ? sd * factor : sd
    let value =
      level + slope * day + season + spread * (form === 'heavyTails' ? random.student(makings.tails) : random.normal())
    if (isChanged && change === 'jump') value += sign * jump * sd
    if (isChanged && change === 'drift') value += sign * driftPerDay * sd * (since + 1)
    if (form === 'counts')
      value = random.poisson(level / 1000) + (isChanged ? extraCount(change, jump, factor, since, random) : 0)
    if (form === 'percents') value = (100 * value) / (level * 50)
    if (isChanged && change === 'dropToZero') value = 0
    if (random.next() < missing && since !== 0) continue
    const atMs = START_MS + day * DAY_MS + Math.round(random.next() * 600_000)
    const kept = form === 'counts' || form === 'repeated' ? Math.round(value) : value
    points.push({ atMs, value: Math.max(0, kept) })
    // Somebody evaluates again by hand, on the same data.
    if (form === 'repeated')
      for (let again = random.next() * 4; again > 2; again--)
        points.push({ atMs: atMs + again * 900_000, value: Math.max(0, kept) })
  }
  points.sort((a, b) => a.atMs - b.atMs)
  const unit = form === 'percents' ? 'percent' : 'rows'
  return { form, change, unit, points, changesAtMs: START_MS + daysBefore * DAY_MS, daysBefore }
}

/** Rows that are wrong are few, and have no sign. */
function extraCount(change: SeriesChange | null, jump: number, factor: number, since: number, random: Random): number {
  if (change === 'jump') return Math.round(jump * 2)
  if (change === 'drift') return since + 1
  return change === 'variance' ? Math.round(Math.abs(random.normal()) * factor * 2) : 0
}

/** The same numbers for the same seed. */
class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1: mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between([least, greatest]: readonly [number, number]): number {
    return least + (greatest - least) * this.next()
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }

  student(degrees: number): number {
    let squares = 0
    for (let at = 0; at < degrees; at++) squares += this.normal() ** 2
    return this.normal() / Math.sqrt(squares / degrees)
  }

  poisson(mean: number): number {
    const limit = Math.exp(-mean)
    let [count, product] = [0, this.next()]
    while (product > limit) {
      count++
      product *= this.next()
    }
    return count
  }
}
