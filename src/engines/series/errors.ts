export type SeriesErrorCode =
  /** Writes come faster than they can be stored; the same write can be sent again in a moment. */
  | 'busy'
  /** There is no room for points. */
  | 'full'
  /** The disk is read-only, or belongs to another user. */
  | 'unwritable'
  /** The database that keeps the points does not answer. */
  | 'unavailable'
  /** The database that keeps the points refused. */
  | 'failed'
  /** The disk does not return what was written: `{ file, day, tag }` say what. */
  | 'damaged'
  | 'too_many_points'
  /** A function that has no meaning for the type of a tag. */
  | 'function_not_applicable'
  /** Other replicas share the database, but not these points. */
  | 'not_shared'
  /** The points are on the disk of a replica that is not running. */
  | 'kept_elsewhere'
  | 'timeout'
  | 'cancelled'
  | 'closed'

export class SeriesError extends Error {
  readonly code: SeriesErrorCode
  /** Further facts about the error: `{ points, limit }`. */
  readonly facts: Readonly<Record<string, unknown>>

  constructor(code: SeriesErrorCode, message: string, facts: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, { cause })
    this.name = 'SeriesError'
    this.code = code
    this.facts = facts
  }
}
