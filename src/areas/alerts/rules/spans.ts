import type { FieldError } from '../../../errors.ts'
import { DURATION_FORM, type Duration, parseDuration } from '../../../http/times.ts'

const DAY_MS = 86_400_000
const UNIT_MS: Readonly<Record<Duration['unit'], number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
  mo: 30 * DAY_MS,
  y: 365 * DAY_MS
}

const MAX_SPAN_MS = 366 * DAY_MS
export const MAX_SPAN_WORDS = '366 days'

/** The length of `5m`; a month has 30 days here and a year 365. Undefined for what is no duration, or too long. */
export function spanMs(text: string): number | undefined {
  const duration = parseDuration(text)
  if (duration === undefined) return undefined
  const ms = duration.count * UNIT_MS[duration.unit]
  return ms <= MAX_SPAN_MS ? ms : undefined
}

/** No time at all, for spans that may begin there. */
const NO_SPAN = '0s'

/** What is wrong with a span that has to lie between two others, each as it would be written. */
export function rangeFaults(pointer: string, text: string, least: string, most: string): FieldError[] {
  const length = (span: string) => (span === NO_SPAN ? 0 : spanMs(span))
  const ms = length(text)
  if (ms !== undefined && ms >= (length(least) ?? 0) && ms <= (length(most) ?? 0)) return []
  return [{ pointer, message: `must be ${DURATION_FORM}, from ${least} to ${most}` }]
}
