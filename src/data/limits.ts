/** What one query may use. */
export interface QueryLimits {
  /** From the request to the last row; the time that the reader takes between rows does not count. */
  readonly timeoutMs: number
  /** The memory for DuckDB; the process as a whole may take `PROCESS_BYTES` more. */
  readonly memoryBytes: number
  /** An answer with more rows is cut, and says so. */
  readonly maxRows: number
}

/** What all queries of a plane may use together, and each at most. */
export interface PlaneLimits extends QueryLimits {
  /**
   * Room on the disk for each query: once for copies of the data it reads, and once more for what does not fit its
   * memory.
   */
  readonly scratchBytes: number
  readonly threads: number
  readonly maxRunning: number
  readonly maxWaiting: number
}

const MIB = 1024 * 1024

export const DEFAULT_LIMITS: PlaneLimits = {
  timeoutMs: 30_000,
  memoryBytes: 512 * MIB,
  maxRows: 1_000_000,
  scratchBytes: 4096 * MIB,
  threads: 2,
  maxRunning: 4,
  maxWaiting: 32
}

/** What Node and DuckDB take by themselves, with room for rows on their way out. */
export const PROCESS_BYTES = 320 * MIB

/** A query may ask for less than the plane allows, never for more. */
export function lesser(plane: PlaneLimits, asked: Partial<QueryLimits>): QueryLimits {
  return {
    timeoutMs: Math.min(plane.timeoutMs, asked.timeoutMs ?? Number.POSITIVE_INFINITY),
    memoryBytes: Math.min(plane.memoryBytes, asked.memoryBytes ?? Number.POSITIVE_INFINITY),
    maxRows: Math.min(plane.maxRows, asked.maxRows ?? Number.POSITIVE_INFINITY)
  }
}
