const WINDOW_MS = 60_000
const MIN_BYTES = 32 * 1024

/** Tells a slow connection from one that only holds its place: a slow one still moves a minimum of bytes per minute. */
export class Pace {
  #sinceMs: number | undefined
  #fromBytes = 0

  /** To be called repeatedly while there are bytes to move; `movedBytes` only grows. */
  isTooSlow(movedBytes: number, nowMs: number): boolean {
    if (this.#sinceMs !== undefined && nowMs - this.#sinceMs < WINDOW_MS) return false
    const isTooSlow = this.#sinceMs !== undefined && movedBytes - this.#fromBytes < MIN_BYTES
    this.#sinceMs = nowMs
    this.#fromBytes = movedBytes
    return isTooSlow
  }

  /** Call this while there is nothing to move, or while we ourselves are the slow side: that time does not count. */
  rest(): void {
    this.#sinceMs = undefined
  }
}
