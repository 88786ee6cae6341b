import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long questions may be answered one after the other before others have their turn. */
const MAX_TURN_MS = 10

/**
 * SQLite answers in this process, and whoever waits for an answer goes on at once: with many questions in a row nobody else
 * would be served from the first to the last. This ends a turn that has become long.
 */
export class Turn {
  #startedMs: number | undefined
  readonly #over = () => {
    this.#startedMs = undefined
  }

  /** To be asked before each question. */
  get isLong(): boolean {
    const nowMs = performance.now()
    if (this.#startedMs === undefined) {
      this.#startedMs = nowMs
      setImmediate(this.#over)
    }
    return nowMs - this.#startedMs > MAX_TURN_MS
  }

  /** Resolves when all others who were waiting have had their turn. */
  next(): Promise<void> {
    return nextTurn()
  }
}
