import type { Mask } from '../../../data/mask.ts'
import type { Expectation } from '../anomalies/detect.ts'
import type { Anomaly } from '../anomalies/follow.ts'
import type { Unit } from '../words.ts'
import type { Reason } from './judge.ts'
import { isSecret } from './secrecy.ts'

/** An anomaly as those are shown it who may not see what was measured. */
export type ShownAnomaly = Omit<Anomaly, 'measured' | 'expected'> & {
  readonly measured: number | null
  readonly expected: Expectation | null
}

interface Aged {
  readonly unit: Unit
  readonly measured: number | null
  readonly reason: Reason | null
  readonly expected?: Expectation | null
  readonly anomaly?: ShownAnomaly | null
  readonly column?: string
}

/** The same without the time that the newest row is of. */
const UNDATED: Readonly<Record<string, string>> = {
  too_old: 'The newest row is longer ago than `maxAge` of the rule.',
  ahead:
    'The newest row is over a year ahead of the clock, so that it can’t be told how old the others are; leave such rows out with `where`.'
}
export const UNMEASURED = 'What was measured is odd; it is not shown, because the column is confidential.'

/**
 * What is told of an age to those above whose clearance the column is: when a rule was evaluated is no secret, so that how old the
 * newest row was then is a value of the column. What was kept before columns were named may be about any.
 */
export function withoutSecretAge<O extends Aged>(outcome: O, mask: Mask | undefined): O {
  const { unit, column, reason, anomaly } = outcome
  if (mask === undefined || unit !== 'seconds') return outcome
  if (column !== undefined && !isSecret(mask, column)) return outcome
  return {
    ...outcome,
    measured: null,
    expected: null,
    ...(anomaly && { anomaly: unmeasured(anomaly) }),
    reason: reason && { ...reason, message: UNDATED[reason.code] ?? reason.message }
  }
}

/** That something is odd, and since when, without what was measured. */
export const unmeasured = ({ kind, since }: Pick<ShownAnomaly, 'kind' | 'since'>): ShownAnomaly => {
  return { kind, since, measured: null, expected: null, message: UNMEASURED }
}
