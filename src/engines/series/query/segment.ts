/** Points of one tag on one day (UTC), sorted by time, each time once. Embedded engines aggregate these. */
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
