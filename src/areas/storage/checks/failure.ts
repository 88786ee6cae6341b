import { StoreError } from '../../../engines/objects/index.ts'
import { OutboundError, type OutboundErrorCode } from '../../../engines/outbound/index.ts'

/** Why a check failed: a code that never changes, and what to do. */
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

/**
 * The failure for an error of a store, with the missing permission if that is the reason. Other errors are faults of
 * ours, and are thrown.
 */
export function toFailure(error: unknown, permission?: string): CheckFailure {
  if (error instanceof CheckFailure) return error
  if (error instanceof OutboundError) return new CheckFailure(NETWORK[error.code] ?? 'store_failed', error.message)
  if (!(error instanceof StoreError)) throw error
  const { code, message } = error
  // The S3 store itself says which permission was missing.
  const isNamed = code !== 'access_denied' || permission === undefined || /\bs3:[A-Z]/.test(message)
  return new CheckFailure(code, isNamed ? message : `${message}; it takes ${permission}`)
}
