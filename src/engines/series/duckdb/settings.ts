/** How much the engine keeps in memory and takes at once. Tests make these small. */
export interface Sizes {
  /** Points of a generation, after which it is sealed. */
  readonly generationPoints: number
  readonly generationLogBytes: number
  /** A generation is sealed when it has become so old. */
  readonly generationAgeMs: number
  /** A generation of at least so many points is sealed when nobody has written for so long. */
  readonly idlePoints: number
  readonly idleMs: number
  /**
   * Points in memory at which writes wait until some are sealed, and how long before they are refused. Whoever writes alone
   * gets three quarters.
   */
  readonly maxPointsInMemory: number
  readonly maxWaitMs: number
  /** Bytes of writes that have not been answered yet, of which nobody gets more than are still free. */
  readonly maxBytesInFlight: number
}

export const SIZES: Sizes = {
  generationPoints: 1 << 21,
  generationLogBytes: 128 * 1024 * 1024,
  generationAgeMs: 3_600_000,
  idlePoints: 1 << 16,
  idleMs: 2000,
  maxPointsInMemory: 4 << 21,
  maxWaitMs: 10_000,
  maxBytesInFlight: 256 * 1024 * 1024
}
