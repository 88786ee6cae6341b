import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import { isMasked, type Mask } from '../../../data/mask.ts'

/** Whether values of a column may not be seen by everybody who may see results. */
export const isSecret = (mask: Mask | undefined, column: string): boolean =>
  mask !== undefined && isMasked(mask, column)

/** What DuckDB says with these codes may hold the value that it stumbled over. */
const SPEAKING: ReadonlySet<DataErrorCode> = new Set(['sql_error', 'data_unreadable'])
const UNSPOKEN = 'The statement failed; what it said is not shown, because the data are confidential.'
const UNQUOTED = 'The statement failed; what it said is shown to those who may see all of the data.'

/** What may be said of a statement that failed. */
export const messageOf = (mask: Mask | undefined, { code, message }: DataError): string =>
  mask !== undefined && SPEAKING.has(code) ? UNSPOKEN : message

/** What those are told who may not see all of the data: whatever may quote a value is left out. */
export function unquoted<R extends { readonly code: string; readonly message: string } | null>(reason: R): R {
  if (reason === null || !SPEAKING.has(reason.code as DataErrorCode)) return reason
  return { ...reason, message: reason.message === UNSPOKEN ? UNSPOKEN : UNQUOTED }
}

/** Reads data, and says of what fails only what may be said. */
export async function unspoken<T>(mask: Mask | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof DataError ? new DataError(error.code, messageOf(mask, error), { cause: error }) : error
  }
}
