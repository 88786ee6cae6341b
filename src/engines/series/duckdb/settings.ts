/** How much the engine keeps in memory and takes at once. Tests make these small. */
export interface Sizes {
  /** Points of a generation, after which it is sealed. */
  readonly generationPoints: number
  readonly generationLogBytes: number
  /** A generation is sealed when it has become so old. */
  readonly generationAgeMs: number
  /** Points in memory at which writes are refused until some are sealed. */
  readonly maxPointsInMemory: number
  /** Bytes of writes that have not been answered yet. */
  readonly maxBytesInFlight: number
  readonly maxUnpackedBytes: number
}

export const SIZES: Sizes = {
  generationPoints: 1 << 21,
  generationLogBytes: 128 * 1024 * 1024,
  generationAgeMs: 3_600_000,
  maxPointsInMemory: 1 << 23,
  maxBytesInFlight: 64 * 1024 * 1024,
  maxUnpackedBytes: 256 * 1024 * 1024
}
