export type SourceErrorCode =
  | 'unknown_host'
  | 'refused_by_policy'
  | 'unreachable'
  | 'tls_failed'
  | 'wrong_credentials'
  | 'missing_permission'
  | 'not_found'
  | 'rate_limited'
  | 'timeout'
  | 'unavailable'
  | 'bad_request'
  | 'driver_missing'
  /** The system does not keep its changes, or not those of this stream. */
  | 'changes_off'
  /** It has forgotten what comes after the position. */
  | 'position_lost'

const TRANSIENT: ReadonlySet<SourceErrorCode> = new Set(['unreachable', 'rate_limited', 'timeout', 'unavailable'])

/** Why a system did not do as asked, fit to be shown to whoever gave its address; there is no `cause`. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly code: SourceErrorCode
  /** The field of the configuration that is at fault, such as `/password`. */
  readonly pointer: string | undefined
  /** Where a right is missing: statements that give it, for an administrator to run. */
  readonly grants: readonly string[]

  constructor(code: SourceErrorCode, message: string, pointer?: string, grants: readonly string[] = []) {
    super(message)
    this.code = code
    this.pointer = pointer
    this.grants = grants
  }

  /** Whether trying again may help. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.code)
  }
}
