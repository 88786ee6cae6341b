import { DIMENSIONS, type Dimension, type Severity, type Status } from '../words.ts'

/** How much a rule counts. */
export const WEIGHTS: Readonly<Record<Severity, number>> = { info: 1, warning: 2, error: 4, critical: 8 }

/** What a rule is worth; those of which nothing is known are left out. */
const POINTS: Readonly<Partial<Record<Status, number>>> = { passed: 100, warned: 50, failed: 0 }

export interface Scored {
  readonly status: Status | null
  readonly severity: Severity
  readonly dimension: Dimension
}

export interface DimensionScore {
  readonly dimension: Dimension
  /** From 0 to 100; null where no rule could be evaluated. */
  readonly score: number | null
  readonly rules: number
}

/** How many rules have come to what; `pending` are those that were never evaluated. */
export type Counts = Readonly<Record<Status | 'pending', number>>

export const NO_RULES: Counts = { passed: 0, warned: 0, failed: 0, error: 0, notEvaluated: 0, pending: 0 }

export interface DatasetScore {
  readonly score: number | null
  readonly dimensions: readonly DimensionScore[]
  readonly rules: Counts
}

/**
 * The mean of what the rules are worth, weighted by their severity. Of a dataset that is the same as the mean of its
 * dimensions, each weighted by what its rules weigh.
 */
export function scoreOf(rules: readonly Scored[]): DatasetScore {
  const byDimension = Map.groupBy(rules, ({ dimension }) => dimension)
  const dimensions = DIMENSIONS.flatMap((dimension) => {
    const own = byDimension.get(dimension)
    return own === undefined ? [] : [{ dimension, score: meanOf(own), rules: own.length }]
  })
  const counts = { ...NO_RULES }
  for (const { status } of rules) counts[status ?? 'pending']++
  return { score: meanOf(rules), dimensions, rules: counts }
}

/** In percent, how many of the rules the score stands on; null where there are none. */
export function coverageOf(counts: Counts): number | null {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const answered = counts.passed + counts.warned + counts.failed
  return all === 0 ? null : Math.round((answered / all) * 10_000) / 100
}

function meanOf(rules: readonly Scored[]): number | null {
  let [sum, weights] = [0, 0]
  for (const { status, severity } of rules) {
    const points = status === null ? undefined : POINTS[status]
    if (points === undefined) continue
    sum += points * WEIGHTS[severity]
    weights += WEIGHTS[severity]
  }
  return weights === 0 ? null : Math.round((sum / weights) * 100) / 100
}
