import { SqlProcess } from './process.ts'

/** Long enough for a dashboard that somebody looks at; an unused process would waste memory. */
const IDLE_LIMIT_MS = 30_000

/**
 * Keeps one started process ready for the next query, because a start takes longer than most queries. After a quiet
 * time it is ended.
 */
export class SqlProcessPool {
  readonly #folder: string
  #idle: SqlProcess | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** A process for one query; the caller has to end it. */
  async take(signal: AbortSignal): Promise<SqlProcess> {
    const process = this.#idle?.isUsable === true ? this.#idle : new SqlProcess(this.#folder)
    this.#forget()
    try {
      await process.ready(signal)
      return process
    } catch (error) {
      await process.end()
      throw error
    }
  }

  /**
   * Starts the next process. To be called once a query has begun to answer: at its beginning this would slow it down.
   */
  refill(): void {
    if (this.#isClosed || this.#idle?.isUsable === true) return
    this.#idle = new SqlProcess(this.#folder)
    this.#idle.rest()
    this.#idleTimer = setTimeout(() => this.#drop(), IDLE_LIMIT_MS).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#drop()
  }

  async #drop(): Promise<void> {
    const process = this.#idle
    this.#forget()
    await process?.end()
  }

  #forget(): void {
    clearTimeout(this.#idleTimer)
    this.#idle = undefined
  }
}
