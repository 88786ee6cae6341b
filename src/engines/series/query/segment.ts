/** Points of one tag on one day (UTC), in the order of time, each time once. What an embedded engine aggregates. */
export interface Segment {
  /** Days since the epoch. */
  readonly day: number
  readonly length: number
  /** Nanoseconds into the day. */
  readonly ns: Float64Array
  readonly values: Float64Array
  /** 0 good, 1 uncertain, 2 bad; undefined where all are good. */
  readonly quality: Uint8Array | undefined
  /** Texts, and whole numbers that a double can't hold; undefined where there are none. */
  readonly exact: readonly (string | bigint | undefined)[] | undefined
}
