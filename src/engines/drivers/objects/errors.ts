import { StoreError, type StoreErrorCode } from '../../objects/index.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { tlsError } from '../common/tls.ts'
import { SourceError, type SourceErrorCode } from '../errors.ts'
import { fromOutbound } from '../reach.ts'

const MEANINGS: Partial<Record<StoreErrorCode, readonly [SourceErrorCode, pointer?: string]>> = {
  no_such_bucket: ['not_found', '/bucket'],
  no_such_key: ['not_found', '/files'],
  unknown_host: ['unknown_host', '/host'],
  address_refused: ['refused_by_policy', '/host'],
  connection_refused: ['unreachable', '/port'],
  tls_failed: ['tls_failed', '/tls'],
  unknown_access_key: ['wrong_credentials', '/accessKey'],
  wrong_secret: ['wrong_credentials', '/secretKey'],
  clock_off: ['wrong_credentials', '/secretKey'],
  access_denied: ['missing_permission', '/bucket'],
  throttled: ['rate_limited'],
  timed_out: ['timeout']
}

/** Whatever is no error of a store stays what it is. */
export function fromStore(error: unknown): unknown {
  if (error instanceof OutboundError) return fromOutbound(error)
  if (!(error instanceof StoreError)) return error
  const isTls = error.code === 'tls_failed' ? tlsError(error.reason) : undefined
  if (isTls !== undefined) return isTls
  const [code, pointer] = MEANINGS[error.code] ?? ['unavailable']
  return new SourceError(code, error.message, pointer)
}
