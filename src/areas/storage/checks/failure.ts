import { StoreError } from '../../../engines/objects/index.ts'
import { OutboundError, type OutboundErrorCode } from '../../../engines/outbound/index.ts'

/** Why a check did not work: a code that stays the same, and what to change. */
export class CheckFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'CheckFailure'
    this.code = code
  }
}

const NETWORK: Readonly<Partial<Record<OutboundErrorCode, string>>> = {
  refused_by_policy: 'address_refused',
  unknown_host: 'unknown_host',
  bad_url: 'unknown_host',
  connection_refused: 'connection_refused',
  unreachable: 'connection_refused',
  tls: 'tls_failed',
  timeout: 'timed_out'
}

/** Names the permission that is missing, if that is the reason. A fault of our own is no result, and is thrown. */
export function toFailure(error: unknown, permission?: string): CheckFailure {
  if (error instanceof CheckFailure) return error
  if (error instanceof OutboundError) return new CheckFailure(NETWORK[error.code] ?? 'store_failed', error.message)
  if (!(error instanceof StoreError)) throw error
  const { code, message } = error
  // The S3 store knows better which one it was.
  const isNamed = code !== 'access_denied' || permission === undefined || /\bs3:[A-Z]/.test(message)
  return new CheckFailure(code, isNamed ? message : `${message}; it takes ${permission}`)
}
