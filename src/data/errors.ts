export type DataErrorCode =
  /** Not a data reference, or one of a kind that no SQL can read. */
  | 'reference_invalid'
  /** A name that SQL can't know a relation by. */
  | 'alias_invalid'
  /** There is no such bucket or source. */
  | 'not_found'
  /** There is a bucket, but no object by that key or pattern. */
  | 'nothing_matches'
  | 'format_unknown'
  | 'formats_mixed'
  | 'too_many_objects'
  | 'too_large'
  /** What keeps the data does not answer, or refuses. */
  | 'unavailable'
  /** Points that only one of several replicas has. */
  | 'points_not_shared'
  /** The content is not what its format says. */
  | 'data_unreadable'
  | 'sql_error'
  /** SQL that does more than read the relations it was given. */
  | 'sql_refused'
  | 'row_too_large'
  | 'timeout'
  | 'out_of_memory'
  | 'cancelled'
  /** Too many queries wait already; the same one is fine in a moment. */
  | 'busy'
  | 'process_died'
  | 'closed'

/** Where in the SQL, both from 1; columns are counted in characters. */
export interface SqlPosition {
  readonly line: number
  readonly column: number
}

/** The message is a sentence for whoever sent the query. It holds no path of the server. */
export class DataError extends Error {
  readonly code: DataErrorCode
  readonly position: SqlPosition | undefined

  constructor(code: DataErrorCode, message: string, options: { cause?: unknown; position?: SqlPosition } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'DataError'
    this.code = code
    this.position = options.position
  }
}
