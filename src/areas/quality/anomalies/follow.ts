import { toIso } from '../../../engines/clock.ts'
import type { Unit } from '../words.ts'
import { type AnomalyKind, detect, type Expectation, type Oddity, type Point } from './detect.ts'
import { thinned } from './history.ts'

/** What is odd, from its first evaluation until the measurements are as expected again, or are what is usual now. */
export interface Anomaly {
  readonly kind: AnomalyKind
  readonly since: string
  /** What was measured then, and what was expected. */
  readonly measured: number
  readonly expected: Expectation
  readonly message: string
}

export interface Followed {
  /** Null while there is too little to tell. */
  readonly expected: Expectation | null
  readonly anomaly: Anomaly | null
  readonly oddity: Oddity
  /** Where what was odd for long is usual from now on: all before this time is forgotten. */
  readonly learnsFromMs: number | null
}

/** What is odd for so many evaluations is what is usual from then on. */
const LEARNED_AFTER = 7

/** A new measurement after those before, of which the last may have been part of an anomaly. */
export function follow(
  history: readonly Point[],
  before: Anomaly | null,
  now: Omit<Point, 'oddity'>,
  unit: Unit
): Followed {
  const finding = detect(history, now, unit)
  if (finding === undefined) return { expected: null, anomaly: null, oddity: 0, learnsFromMs: null }
  const { expected, kind } = finding
  if (kind === null) return { expected, anomaly: null, oddity: 0, learnsFromMs: null }
  const anomaly = before ?? { kind, since: toIso(now.atMs), measured: now.value, expected, message: '' }
  const sinceMs = Date.parse(anomaly.since)
  const lasting = thinned([...history, { ...now, oddity: 1 }]).filter(({ atMs }) => atMs >= sinceMs)
  if (lasting.length > LEARNED_AFTER) return { expected, anomaly: null, oddity: 0, learnsFromMs: sinceMs }
  const told = before ?? { ...anomaly, message: inWords(anomaly, unit) }
  return { expected, anomaly: told, oddity: kind === 'value' ? 1 : 2, learnsFromMs: null }
}

function inWords({ kind, measured, expected }: Anomaly, unit: Unit): string {
  const { value, low, high, points } = expected
  const of = { rows: ' rows', percent: ' %', seconds: ' s', columns: ' columns', psi: '', ks: '', cramersV: '' }[unit]
  const found = `${rounded(measured)}${of} where about ${rounded(value)} (${rounded(low)} to ${rounded(high)}) were expected after ${points} evaluations`
  if (kind === 'value') return `${found}.`
  return kind === 'shift'
    ? `The last evaluations together lie off to one side: ${found}.`
    : `The last evaluations are scattered far more than those before: ${found}.`
}

const rounded = (value: number): string => String(Number(value.toPrecision(4)))
