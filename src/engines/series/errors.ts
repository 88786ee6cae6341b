export type SeriesErrorCode =
  /** Writes come faster than they can be kept; the same write is fine in a moment. */
  | 'busy'
  /** There is no room to keep points in. */
  | 'full'
  /** The disk is read-only, or belongs to another user. */
  | 'unwritable'
  /** The database that keeps the points does not answer. */
  | 'unavailable'
  /** The database that keeps the points refused. */
  | 'failed'
  /** The disk does not give back what was written: `{ file, day, tag }` say what. */
  | 'damaged'
  | 'too_many_points'
  /** A function that the type of a tag has no meaning for. */
  | 'function_not_applicable'
  /** Other replicas share the database, but not these points. */
  | 'not_shared'
  /** They are on the disk of a replica that is not running. */
  | 'kept_elsewhere'
  | 'timeout'
  | 'cancelled'
  | 'closed'

export class SeriesError extends Error {
  readonly code: SeriesErrorCode
  /** Figures that belong to it: `{ points, limit }`. */
  readonly facts: Readonly<Record<string, unknown>>

  constructor(code: SeriesErrorCode, message: string, facts: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, { cause })
    this.name = 'SeriesError'
    this.code = code
    this.facts = facts
  }
}
