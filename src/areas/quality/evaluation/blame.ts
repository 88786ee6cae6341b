import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import { sqlName } from '../../../data/relation.ts'
import type { Compiled } from './compile.ts'

/** What one rule among several, or one column, may be to blame for. */
export const OF_ONE: ReadonlySet<DataErrorCode> = new Set([
  'sql_error',
  'sql_refused',
  'out_of_memory',
  'timeout',
  'process_died',
  'row_too_large'
])

/** Whether some of the questions of a statement that failed may be answered without the others. */
export const isOfOne = (error: unknown, asked: readonly Compiled[]): boolean =>
  (error instanceof DataError && OF_ONE.has(error.code)) || asked.some(({ others }) => others !== undefined)

/**
 * Whether a rule can't be asked because of what failed: one column of a file can't be read, and the rule is about it. All others
 * can be asked together then, where halving would read the data again and again up to the place where that column is wrong.
 */
export function isAboutUnread(error: unknown, { checked, failed, counts, value }: Compiled): boolean {
  if (!(error instanceof DataError) || error.column === undefined) return false
  const name = sqlName(error.column).toLowerCase()
  return [checked, failed, counts?.sql, value].some((sql) => sql?.toLowerCase().includes(name))
}
