import { StoreError, type StoreErrorCode } from '../errors.ts'
import type { DeleteFailure } from '../index.ts'

const AT_ONCE = 32

/** Errors that concern one object only, so that the next one can still be deleted. */
const SINGLE_OBJECT_ERRORS: ReadonlySet<StoreErrorCode> = new Set([
  'access_denied',
  'precondition_failed',
  'throttled',
  'timed_out',
  'store_failed'
])

/** Sends one request for each key, in parallel: batch requests of the stores would only save round trips. */
export async function deleteEach(
  keys: readonly string[],
  deleteOne: (key: string) => Promise<unknown>
): Promise<DeleteFailure[]> {
  const failures: DeleteFailure[] = []
  const waiting = keys.values()
  const worker = async () => {
    for (const key of waiting) {
      try {
        await deleteOne(key)
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        const { code, message } = error
        if (SINGLE_OBJECT_ERRORS.has(code)) failures.push({ key, code, message })
        else if (code !== 'no_such_key') throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, keys.length) }, worker))
  return failures
}
