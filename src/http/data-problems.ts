import { DataError, type DataErrorCode } from '../data/errors.ts'
import { type ErrorCode, Problem } from '../errors.ts'

const CODES: Partial<Record<DataErrorCode, ErrorCode>> = {
  timeout: 'query_timeout',
  busy: 'overloaded',
  closed: 'shutting_down',
  process_died: 'dependency_unavailable',
  unavailable: 'store_failed',
  points_not_shared: 'series_url_missing',
  // Nobody reads this: a caller that cancelled has hung up.
  cancelled: 'malformed_request'
}

const RETRY_AFTER_S: Partial<Record<DataErrorCode, string>> = { busy: '1', closed: '5', process_died: '1' }

/** Reads data by its references, and says what goes wrong in the words of the API. */
export async function withData<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof DataError ? toProblem(error) : error
  }
}

function toProblem(error: DataError): Problem {
  const code = CODES[error.code]
  const retryAfter = RETRY_AFTER_S[error.code]
  return new Problem(code ?? 'unprocessable', {
    detail: error.message,
    members: { cause: error.code },
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
    cause: error
  })
}
