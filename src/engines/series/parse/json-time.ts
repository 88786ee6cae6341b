import { type Instant, TIME_OUT_OF_RANGE, TIME_READ } from './instant.ts'
import { readIsoTime } from './iso-time.ts'
import type { Refusal } from './tally.ts'
import { shown } from './text.ts'

const OUT_OF_RANGE: Refusal = {
  code: 'time_out_of_range',
  message: 'the time is not between the years 1677 and 2262; check the precision'
}

/** The `time` of a point: a whole number in the precision of the request, or a text with date, time and offset. */
export function readJsonTime(time: unknown, instant: Instant): Refusal | undefined {
  if (typeof time === 'string') {
    const status = readIsoTime(time, instant)
    if (status === TIME_READ) return undefined
    if (status === TIME_OUT_OF_RANGE) return OUT_OF_RANGE
    const message = `time must be like 2026-01-31T12:00:00.5Z or 2026-01-31T12:00:00+02:00, not ${shown(time)}`
    return { code: 'invalid_time', message }
  }
  if (typeof time !== 'bigint' && !Number.isInteger(time)) {
    return { code: 'invalid_time', message: 'time must be a whole number, or a text like 2026-01-31T12:00:00Z' }
  }
  return instant.read(Buffer.from(`${BigInt(time as number | bigint)};`), 0) === TIME_READ ? undefined : OUT_OF_RANGE
}
