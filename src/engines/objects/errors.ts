/**
 * The errors of a store. The first group follows from the request; the second from the settings of the provider or
 * the state of the outside system, and its messages say what to change.
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
  /** The disk does not return what was written. */
  | 'damaged'
  /** The index of objects is gone or damaged. */
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
  /** The store is on the disk of a replica that is not running. */
  | 'kept_elsewhere'

export class StoreError extends Error {
  readonly code: StoreErrorCode
  /** The size of the object, where the range asked for is after its end. */
  readonly sizeBytes: number | undefined
  /** Where encryption failed: what Node calls it. */
  readonly reason: string | undefined

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { cause?: unknown; sizeBytes?: number; reason?: string } = {}
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StoreError'
    this.code = code
    this.sizeBytes = options.sizeBytes
    this.reason = options.reason
  }
}
