import { SqlProcess } from './process.ts'

/** Enough for a dashboard that is looked at; one that nobody looks at needs no memory. */
const IDLE_LIMIT_MS = 30_000

/** Starting a process takes longer than most queries: one waits for the next, from the first query until a quiet time. */
export class SqlProcessPool {
  readonly #folder: string
  #idle: SqlProcess | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** For one query; whoever takes it ends it. */
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

  /** Once a query has begun to answer, rather than when it starts, which it would slow down. */
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
