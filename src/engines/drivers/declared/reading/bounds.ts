import type { ColumnType, StreamCondition } from '../../index.ts'
import type { StreamEntry } from '../entry.ts'
import { compared, markOf } from './marks.ts'
import type { Mark } from './slices.ts'
import { isCounted, parseTime } from './times.ts'

/** Times are compared as texts here, whatever zone they name, and some services mean "after" by "since". */
const MARGIN_MS = 86_400_000
const ORDERED: ReadonlySet<ColumnType> = new Set(['text', 'bigint', 'double', 'date', 'timestamp', 'timestamptz'])

/** Where a stream can be asked to begin so that nothing is missing for which a condition holds; undefined where it says nothing of that. */
export function boundOf(
  { cursor }: StreamEntry,
  { column, is, values }: StreamCondition,
  type: ColumnType
): Mark | undefined {
  const [value] = values
  if (cursor?.since === undefined || cursor.field !== column || !ORDERED.has(type) || value === undefined)
    return undefined
  if (is !== '=' && is !== '>' && is !== '>=') return undefined
  if ('number' in value) {
    const mark = markOf(Number(value.number), cursor)
    return mark && { ...mark, at: mark.at - (mark.isTime ? MARGIN_MS : 1) }
  }
  // Other texts are in another order than their times.
  const { format } = cursor
  if (isCounted(format) || (format !== undefined && !format.startsWith('%Y-%m-%d'))) return undefined
  const ms = parseTime(value.text, undefined)
  return ms === undefined ? undefined : { at: ms - MARGIN_MS, isTime: true }
}

/** The last of several marks, as far as they can be compared. */
export function latest(marks: readonly (Mark | undefined)[]): Mark | undefined {
  return marks.reduce(
    (last, mark) => (last === undefined || (mark && (compared(mark, last) ?? 0) > 0) ? mark : last),
    undefined
  )
}
