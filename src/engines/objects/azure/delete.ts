import type { StoreError, StoreErrorCode } from '../errors.ts'
import type { DeleteFailure } from '../index.ts'
import type { AzureClient } from './client.ts'

const AT_ONCE = 32

/** What can be wrong with one object while the next one can be deleted. */
const OF_ONE_OBJECT: ReadonlySet<StoreErrorCode> = new Set([
  'access_denied',
  'precondition_failed',
  'throttled',
  'timed_out',
  'store_failed'
])

/** One request each: the service's batches save nothing but round trips, and those are made side by side. */
export async function deleteObjects(
  client: AzureClient,
  bucket: string,
  keys: readonly string[]
): Promise<DeleteFailure[]> {
  const failures: DeleteFailure[] = []
  const waiting = keys.values()
  const worker = async () => {
    for (const key of waiting) {
      const failure = await deleteObject(client, bucket, key)
      if (failure !== undefined) failures.push(failure)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, keys.length) }, worker))
  return failures
}

async function deleteObject(client: AzureClient, bucket: string, key: string): Promise<DeleteFailure | undefined> {
  const at = { bucket, key }
  try {
    await client.call(at, () => client.blob(at).delete({ deleteSnapshots: 'include' }))
  } catch (error) {
    const { code, message } = error as StoreError
    if (code === 'no_such_key') return undefined
    if (OF_ONE_OBJECT.has(code)) return { key, code, message }
    throw error
  }
  return undefined
}
