const WINDOW_MS = 60_000
const MIN_BYTES = 32 * 1024

/** Tells a connection that is slow from one that only keeps its place: so many bytes a minute are the least. */
export class Pace {
  #sinceMs: number | undefined
  #fromBytes = 0

  /** Asked again and again while there is something to move; `movedBytes` only grows. */
  isTooSlow(movedBytes: number, nowMs: number): boolean {
    if (this.#sinceMs !== undefined && nowMs - this.#sinceMs < WINDOW_MS) return false
    const isTooSlow = this.#sinceMs !== undefined && movedBytes - this.#fromBytes < MIN_BYTES
    this.#sinceMs = nowMs
    this.#fromBytes = movedBytes
    return isTooSlow
  }

  /** There is nothing to move, or it is not the other side that is waited for. */
  rest(): void {
    this.#sinceMs = undefined
  }
}
