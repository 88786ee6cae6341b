/** A measurement with where it stands in its season. */
export interface Sample {
  /** In steps of the usual time between two evaluations. */
  readonly step: number
  readonly value: number
  /** The weekday or the time of day. */
  readonly key: number
  /** The cycle of the season that it belongs to: the week or the day. */
  readonly cycle: number
}

/** What is usual, as far as the measurements before tell. */
export interface Fit {
  readonly points: number
  readonly isSeasonal: boolean
  readonly trendPerStep: number
  /** How far measurements usually lie from what is expected, as a standard deviation. */
  readonly scale: number
  /** The furthest that one of them lay. */
  readonly furthest: number
  /** The usual level where its season is not known yet. */
  expectedAt(at: Pick<Sample, 'step' | 'key'>): number
  /** By how much more than `scale` a single measurement may lie off, since what is expected is itself uncertain. */
  uncertaintyAt(at: Pick<Sample, 'key'>): number
}

/** Cycles in which a season has to be seen before it is believed. */
export const LEAST_CYCLES = 3
/** A season or a trend has to explain so much, or it is left out. */
const WORTHWHILE = 0.9
const LEAST_PAIRS = 5
/** The variance of a median is that of a mean by this factor. */
const MEDIAN_VARIANCE = Math.PI / 2

/**
 * Medians throughout, so that single odd values change nothing, and no equal steps, so that gaps do no harm. Of a plain
 * level, a trend, a season and both, the simplest that explains the measurements is taken.
 */
export function fit(samples: readonly Sample[]): Fit {
  const seasons = seasonOf(samples)
  let best = model(samples, 0, undefined)
  const candidates = [
    () => model(samples, trendOf(samples), undefined),
    ...(seasons === undefined
      ? []
      : [() => model(samples, 0, seasons), () => model(samples, trendOf(samples, seasons), seasons)])
  ]
  for (const candidate of candidates) {
    const other = candidate()
    if (other.spread < best.spread * WORTHWHILE) best = other
  }
  return best
}

/** Where measurements stand, by the place in the season. */
type Seasons = ReadonlyMap<number, readonly number[]>

/** Places that were seen in enough cycles; undefined where there are fewer than two. */
function seasonOf(samples: readonly Sample[]): Seasons | undefined {
  const seasons = new Map<number, number[]>()
  for (const [at, { key }] of samples.entries()) seasons.getOrInsertComputed(key, () => []).push(at)
  for (const [key, places] of seasons) {
    const cycles = new Set(places.map((at) => samples[at]?.cycle))
    if (cycles.size < LEAST_CYCLES) seasons.delete(key)
  }
  return seasons.size < 2 ? undefined : seasons
}

/** The median of the slopes between measurements that lie half of the time apart, of the same season where there is one. */
function trendOf(samples: readonly Sample[], seasons?: Seasons): number {
  const half = Math.floor(samples.length / 2)
  const slopes: number[] = []
  for (let at = 0; at < half; at++) {
    const from = samples[at] as Sample
    let later = at + half
    while (seasons !== undefined && later < samples.length && samples[later]?.key !== from.key) later++
    const to = samples[later]
    if (to !== undefined && to.step > from.step) slopes.push((to.value - from.value) / (to.step - from.step))
  }
  return slopes.length < LEAST_PAIRS ? 0 : median(slopes)
}

function model(samples: readonly Sample[], trendPerStep: number, seasons: Seasons | undefined) {
  const last = samples.at(-1)?.step ?? 0
  const flat = samples.map(({ step, value }) => value - trendPerStep * (step - last))
  const level = median(flat)
  const levels = new Map<number, { level: number; points: number }>()
  for (const [key, places] of seasons ?? []) {
    levels.set(key, { level: median(places.map((at) => flat[at] as number)), points: places.length })
  }
  const all = { level, points: samples.length }
  const levelAt = (key: number) => levels.get(key) ?? all
  const residuals = samples.map(({ key }, at) => {
    const { level: own, points } = levelAt(key)
    // A median of few values lies close to each of them, closer than to the next one.
    return Math.abs((flat[at] as number) - own) * (points / (points - 1))
  })
  const spread = trimmedMean(residuals)
  return {
    points: samples.length,
    isSeasonal: seasons !== undefined,
    trendPerStep,
    spread,
    scale: Math.max(1.4826 * median(residuals), 1.2533 * spread),
    furthest: Math.max(...residuals),
    expectedAt: ({ step, key }: Pick<Sample, 'step' | 'key'>) => levelAt(key).level + trendPerStep * (step - last),
    uncertaintyAt: ({ key }: Pick<Sample, 'key'>) => Math.sqrt(1 + MEDIAN_VARIANCE / levelAt(key).points)
  }
}

export function median(values: readonly number[]): number {
  const sorted = new Float64Array(values).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** Without the greatest twentieth. */
function trimmedMean(values: readonly number[]): number {
  const kept = new Float64Array(values).sort().subarray(0, Math.ceil(values.length * 0.95))
  return kept.reduce((sum, value) => sum + value, 0) / kept.length
}
