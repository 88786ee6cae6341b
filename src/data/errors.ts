export type DataErrorCode =
  /** Not a data reference, or one of a kind that no SQL can read. */
  | 'reference_invalid'
  /** A name that can't be used for a relation in SQL. */
  | 'alias_invalid'
  /** There is no such bucket or source. */
  | 'not_found'
  /** There is a bucket, but no object by that key or pattern. */
  | 'nothing_matches'
  | 'format_unknown'
  | 'formats_mixed'
  | 'too_many_objects'
  | 'too_large'
  /** The store of the data does not answer, or refuses. */
  | 'unavailable'
  /** The points are on the disk of one of several replicas. */
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
  /** Too many queries wait already; the same query can be sent again in a moment. */
  | 'busy'
  | 'process_died'
  | 'closed'

/** The position in the SQL, line and column from 1; columns are counted in characters. */
export interface SqlPosition {
  readonly line: number
  readonly column: number
}

/** The message is a sentence for whoever sent the query. It holds no path of the server. */
export class DataError extends Error {
  readonly code: DataErrorCode
  readonly position: SqlPosition | undefined
  /** Of data that can't be read, the only column that is to blame. */
  readonly column: string | undefined

  constructor(
    code: DataErrorCode,
    message: string,
    options: { cause?: unknown; position?: SqlPosition; column?: string | undefined } = {}
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'DataError'
    this.code = code
    this.position = options.position
    this.column = options.column
  }
}
