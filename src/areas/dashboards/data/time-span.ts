import { invalidField, Problem } from '../../../errors.ts'
import { isoOfNs, parseTime, TIME_FORM } from '../../../http/times.ts'
import type { TimeRange } from '../model/schema.ts'

/** A time range at a moment. */
export interface Span {
  readonly fromNs: bigint
  readonly toNs: bigint
  readonly from: string
  readonly to: string
  readonly seconds: number
}

/** What a range means at a time; throws where it is none. */
export function spanOf({ from, to }: TimeRange, nowMs: number): Span {
  const [fromNs, toNs] = [timeOf(from, nowMs, '/from'), timeOf(to, nowMs, '/to')]
  if (fromNs >= toNs) {
    throw new Problem('unprocessable', { errors: [{ pointer: '/to', message: 'must be later than from' }] })
  }
  return {
    fromNs,
    toNs,
    from: isoOfNs(fromNs),
    to: isoOfNs(toNs),
    seconds: Number((toNs - fromNs) / 1_000_000n) / 1000
  }
}

function timeOf(text: string, nowMs: number, pointer: string): bigint {
  const ns = parseTime(text, nowMs)
  if (ns === undefined) throw invalidField(pointer, `must be ${TIME_FORM}`)
  return ns
}

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400
const YEAR_S = 365 * DAY_S

/** Widths of buckets that people count in, in seconds. */
const STEPS_S: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_S),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_S),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * DAY_S),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((years) => years * YEAR_S)
]

/** The least of these widths that needs no more buckets than there are points. A second is the least that any panel has. */
export function stepSeconds({ seconds }: Pick<Span, 'seconds'>, maxPoints: number): number {
  const least = seconds / maxPoints
  return STEPS_S.find((step) => step >= least) ?? (STEPS_S.at(-1) as number)
}
