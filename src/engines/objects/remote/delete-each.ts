import { StoreError, type StoreErrorCode } from '../errors.ts'
import type { DeleteFailure } from '../index.ts'

const AT_ONCE = 32

/** What can be wrong with one object while the next one can be deleted. */
const OF_ONE_OBJECT: ReadonlySet<StoreErrorCode> = new Set([
  'access_denied',
  'precondition_failed',
  'throttled',
  'timed_out',
  'store_failed'
])

/** One request each: the stores' batches save nothing but round trips, and those are made side by side. */
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
        if (OF_ONE_OBJECT.has(code)) failures.push({ key, code, message })
        else if (code !== 'no_such_key') throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, keys.length) }, worker))
  return failures
}
