import { toIso } from '../../engines/clock.ts'
import { invalidField } from '../../errors.ts'
import { parseTime, TIME_FORM } from '../../http/times.ts'

/** A time that a query names, as rows have it. */
export function timeOf(field: string, text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined
  const ns = parseTime(text, nowMs)
  if (ns === undefined) throw invalidField(`/query/${field}`, `must be ${TIME_FORM}`)
  return toIso(Number(ns / 1_000_000n))
}
