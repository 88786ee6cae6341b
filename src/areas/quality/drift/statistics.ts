/** Numbers of rows in cells that are the same for two samples. */
export type Counts = readonly number[]

export const sum = (counts: Counts): number => counts.reduce((all, count) => all + count, 0)

/**
 * The population stability index: Σ (q − p) · ln(q / p) over the shares p before and q now. Half a row is added to
 * every cell, so that an empty one does not make it infinite.
 */
export function psi(before: Counts, now: Counts): number {
  const shares = (counts: Counts) => {
    const all = sum(counts) + counts.length / 2
    return counts.map((count) => (count + 0.5) / all)
  }
  const [p, q] = [shares(before), shares(now)]
  return p.reduce((total, share, at) => total + ((q[at] as number) - share) * Math.log((q[at] as number) / share), 0)
}

/** The greatest distance of two distribution functions, at the bounds of cells that are in order. */
export function ksDistance(before: Counts, now: Counts): number {
  const [allBefore, allNow] = [sum(before), sum(now)]
  let [p, q, distance] = [0, 0, 0]
  for (const [at, count] of before.entries()) {
    p += count
    q += now[at] as number
    distance = Math.max(distance, Math.abs(p / allBefore - q / allNow))
  }
  return distance
}

/**
 * How likely two samples of the same distribution are at least so far apart, by Kolmogorov’s distribution. For small
 * samples it is a little too high, so that chance is not taken for drift.
 */
export function ksPValue(distance: number, rowsBefore: number, rowsNow: number): number {
  const lambda = Math.sqrt((rowsBefore * rowsNow) / (rowsBefore + rowsNow)) * distance
  if (lambda < 0.2) return 1
  let total = 0
  for (let k = 1; k <= 100; k++) {
    const term = Math.exp(-2 * k * k * lambda * lambda)
    total += k % 2 === 1 ? term : -term
    if (term < 1e-16) break
  }
  return Math.min(1, Math.max(0, 2 * total))
}

/**
 * Cramér’s V of the two samples as if they had equally many rows, √(½ Σ (q − p)² / (q + p)): from 0 for the same shares
 * to 1 for no value in common, however many rows there are.
 */
export function cramersV(before: Counts, now: Counts): number {
  const [allBefore, allNow] = [sum(before), sum(now)]
  const total = before.reduce((all, count, at) => {
    const [p, q] = [count / allBefore, (now[at] as number) / allNow]
    return p + q === 0 ? all : all + (q - p) ** 2 / (q + p)
  }, 0)
  return Math.min(1, Math.sqrt(total / 2))
}

/** Pearson’s test of whether two samples have the same shares; cells that are empty in both do not count. */
export function chiSquare(before: Counts, now: Counts): { statistic: number; degrees: number; pValue: number } {
  const [allBefore, allNow] = [sum(before), sum(now)]
  const all = allBefore + allNow
  let [statistic, cells] = [0, 0]
  for (const [at, count] of before.entries()) {
    const both = count + (now[at] as number)
    if (both === 0) continue
    cells++
    const [expectedBefore, expectedNow] = [(both * allBefore) / all, (both * allNow) / all]
    statistic += (count - expectedBefore) ** 2 / expectedBefore + ((now[at] as number) - expectedNow) ** 2 / expectedNow
  }
  const degrees = Math.max(0, cells - 1)
  return { statistic, degrees, pValue: degrees === 0 ? 1 : upperGamma(degrees / 2, statistic / 2) }
}

const EPSILON = 1e-14
const MAX_STEPS = 10_000

/** The regularised upper incomplete gamma function Q(a, x): by its series where x is small, else as a continued fraction. */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  const factor = Math.exp(-x + a * Math.log(x) - logGamma(a))
  if (x < a + 1) {
    let [term, total] = [1 / a, 1 / a]
    for (let k = 1; k < MAX_STEPS && term > total * EPSILON; k++) {
      term *= x / (a + k)
      total += term
    }
    return Math.max(0, 1 - total * factor)
  }
  // The method of Lentz.
  let b = x + 1 - a
  let c = 1 / Number.MIN_VALUE ** 0.5
  let d = 1 / b
  let fraction = d
  for (let k = 1; k < MAX_STEPS; k++) {
    const an = -k * (k - a)
    b += 2
    d = 1 / (an * d + b)
    c = b + an / c
    fraction *= d * c
    if (Math.abs(d * c - 1) < EPSILON) break
  }
  return Math.min(1, fraction * factor)
}

const LANCZOS = [
  76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2,
  -0.5395239384953e-5
]

function logGamma(a: number): number {
  const base = a + 5.5
  const series = LANCZOS.reduce((total, factor, at) => total + factor / (a + at + 1), 1.000000000190015)
  return (a + 0.5) * Math.log(base) - base + Math.log((Math.sqrt(2 * Math.PI) * series) / a)
}
