/**
 * What can go wrong with a store. The first group follows from what was asked; the second from the settings of the
 * provider or the state of the outside system, and says in its message what to change.
 */
export type StoreErrorCode =
  | 'no_such_bucket'
  | 'no_such_key'
  | 'bucket_taken'
  | 'bucket_not_empty'
  | 'precondition_failed'
  | 'range_not_satisfiable'
  | 'no_such_upload'
  | 'invalid_part'
  /** The disk does not give back what was written. */
  | 'damaged'
  /** What says which objects there are is gone or damaged. */
  | 'index_damaged'
  | 'unknown_host'
  | 'address_refused'
  | 'connection_refused'
  | 'tls_failed'
  | 'unknown_access_key'
  | 'wrong_secret'
  | 'clock_off'
  | 'access_denied'
  | 'store_full'
  /** The disk of the server is read-only, or belongs to another user. */
  | 'unwritable'
  | 'throttled'
  | 'timed_out'
  | 'store_failed'
  /** Other replicas share the database, but not this disk. */
  | 'not_shared'
  /** It is on the disk of a replica that is not running. */
  | 'kept_elsewhere'

export class StoreError extends Error {
  readonly code: StoreErrorCode
  /** The size of the object, where the range asked for lies behind its end. */
  readonly sizeBytes: number | undefined

  constructor(code: StoreErrorCode, message: string, options: { cause?: unknown; sizeBytes?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StoreError'
    this.code = code
    this.sizeBytes = options.sizeBytes
  }
}
