import type { TagType } from '../index.ts'

/** The rows of one tag in an answer, sorted by time: buckets where there was an aggregation, else points. */
export interface TagRows {
  readonly tag: string
  /** Undefined for a tag that the source does not have. */
  readonly type: TagType | undefined
  readonly length: number
  /** Whole milliseconds since the epoch; for a bucket, its beginning. */
  readonly ms: Float64Array
  /** Nanoseconds beyond the millisecond; undefined where there are none. */
  readonly subMsNs: Uint32Array | undefined
  /** One column for each function, or one of values; NaN where there is no value. */
  readonly columns: readonly Float64Array[]
  /**
   * For each column, and in place of its values where not undefined: texts of string tags, and whole numbers that a
   * double can't hold, by row. `first` and `last` of such tags are here too.
   */
  readonly exact: readonly ((string | bigint | undefined)[] | undefined)[]
  /** Points in each bucket; undefined for points themselves. */
  readonly counts: Float64Array | undefined
  /** The quality of points: 0 good, 1 uncertain, 2 bad. Undefined where all are good. */
  readonly quality: Uint8Array | undefined
  /** The share of good points in each bucket. Undefined where all points of the tag are good. */
  readonly percentGood: Float64Array | undefined
  /** How many points were read for these rows. */
  readonly pointsRead: number
}
