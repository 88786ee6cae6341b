import { StoreError, type StoreErrorCode } from '../../engines/objects/index.ts'
import { type ErrorCode, Problem } from './errors.ts'

/** Errors that the request caused, as problems of the API; all others are the provider's fault. */
const REQUEST_ERRORS: Partial<Record<StoreErrorCode, ErrorCode>> = {
  no_such_key: 'not_found',
  no_such_upload: 'not_found',
  bucket_taken: 'name_taken',
  bucket_not_empty: 'bucket_not_empty',
  precondition_failed: 'precondition_failed',
  invalid_part: 'upload_incomplete',
  damaged: 'object_damaged',
  index_damaged: 'object_index_damaged',
  store_full: 'store_full',
  unwritable: 'disk_unwritable',
  timed_out: 'store_timeout',
  not_shared: 'objects_url_missing',
  kept_elsewhere: 'objects_url_missing'
}

/** Runs work with a store and turns its errors into problems of the API. */
export async function withStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StoreError ? toProblem(error) : error
  }
}

function toProblem(error: StoreError): Problem {
  if (error.code === 'range_not_satisfiable') {
    return new Problem('range_not_satisfiable', { headers: { 'content-range': `bytes */${error.sizeBytes}` } })
  }
  const code = REQUEST_ERRORS[error.code]
  if (code === 'bucket_not_empty' || code === 'name_taken') return new Problem(code, { cause: error })
  if (code === 'objects_url_missing') {
    const detail = error.code === 'kept_elsewhere' ? { detail: sentence(error) } : {}
    return new Problem(code, { ...detail, headers: { 'retry-after': '10' } })
  }
  if (code === 'disk_unwritable') return new Problem(code, { cause: error, headers: { 'retry-after': '10' } })
  if (code !== undefined) return new Problem(code, { detail: sentence(error), cause: error })
  return new Problem('store_failed', { detail: sentence(error), members: { cause: error.code }, cause: error })
}

function sentence({ message }: StoreError): string {
  return message.endsWith('.') ? message : `${message}.`
}
