import type { CursorEntry } from '../entry.ts'
import { memberOf, type Scope } from '../template/template.ts'
import type { JsonRecord } from './records.ts'
import type { Mark } from './slices.ts'
import { isCounted, parseTime } from './times.ts'

/** A value of a cursor; undefined for what has no order. */
export function markOf(value: unknown, { format }: CursorEntry): Mark | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && (format === undefined || !isCounted(format))) {
    return Number.isSafeInteger(Number(value)) || typeof value === 'number' ? numberMark(Number(value)) : undefined
  }
  const ms = parseTime(value, format)
  return ms === undefined || Number.isNaN(ms) || Math.abs(ms) > 8.64e15 ? undefined : { at: ms, isTime: true }
}

const numberMark = (at: number): Mark | undefined =>
  Math.abs(at) <= Number.MAX_SAFE_INTEGER ? { at, isTime: false } : undefined

export const markIn = (record: JsonRecord, cursor: CursorEntry): Mark | undefined =>
  markOf(memberOf(record, cursor.field.split('.')), cursor)

/** Where the first read begins, by the setting that says so. */
export function startOf(cursor: CursorEntry | undefined, scope: Scope): Mark | undefined {
  if (cursor?.start === undefined) return undefined
  const ms = parseTime(memberOf(scope, [cursor.start]), undefined)
  return ms === undefined ? undefined : { at: ms, isTime: true }
}

/** Negative where the first is less; undefined where they can't be compared. */
export const compared = (a: Mark, b: Mark): number | undefined => (a.isTime === b.isTime ? a.at - b.at : undefined)
