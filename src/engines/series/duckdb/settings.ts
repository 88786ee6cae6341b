/** How much the engine keeps in memory and takes at once. Tests make these small. */
export interface Sizes {
  /** A generation with so many points is sealed. */
  readonly generationPoints: number
  readonly generationLogBytes: number
  /** A generation of this age is sealed. */
  readonly generationAgeMs: number
  /** A generation of at least so many points is sealed when there were no writes for so long. */
  readonly idlePoints: number
  readonly idleMs: number
  /**
   * With so many points in memory writes wait until some are sealed, and for how long before they are refused. A
   * single writer gets three quarters of this.
   */
  readonly maxPointsInMemory: number
  readonly maxWaitMs: number
  /** Bytes of writes that were not answered yet; no holder gets more of them than are still free. */
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
