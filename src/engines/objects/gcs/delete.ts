import { StoreError, type StoreErrorCode } from '../errors.ts'
import type { DeleteFailure } from '../index.ts'
import { type Api, objectPath } from './api.ts'

const AT_ONCE = 32

/** What is the matter with the store, and not with one object. */
const ABOUT_ALL: ReadonlySet<StoreErrorCode> = new Set([
  'no_such_bucket',
  'unknown_host',
  'address_refused',
  'connection_refused',
  'tls_failed',
  'unknown_access_key',
  'wrong_secret',
  'clock_off'
])

/** One request for each: the batches of the API are no fewer requests for the store, and fail in more ways. */
export async function deleteObjects(api: Api, bucket: string, keys: readonly string[]): Promise<DeleteFailure[]> {
  const failures: DeleteFailure[] = []
  const waiting = keys[Symbol.iterator]()
  const work = async () => {
    for (const key of waiting) {
      const failure = await deleteObject(api, bucket, key)
      if (failure !== undefined) failures.push(failure)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, keys.length) }, work))
  return failures
}

async function deleteObject(api: Api, bucket: string, key: string): Promise<DeleteFailure | undefined> {
  try {
    await api.status({ method: 'DELETE', path: objectPath(bucket, key), bucket, key, repeatable: true })
  } catch (error) {
    if (!(error instanceof StoreError) || ABOUT_ALL.has(error.code)) throw error
    if (error.code !== 'no_such_key') return { key, code: error.code, message: error.message }
  }
  return undefined
}
