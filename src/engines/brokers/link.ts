import { setTimeout as delay } from 'node:timers/promises'
import { type BrokerError, toBrokerError } from './errors.ts'

/** One connection, from its beginning to its end. */
export interface Session {
  /** Resolves with the reason when the session has ended by itself. */
  over(): Promise<BrokerError>
  close(): Promise<void>
}

export interface LinkOptions<S extends Session> {
  readonly open: () => Promise<S>
  /** Called when the link has ended for a reason that waiting can't mend; there will be no other session. */
  readonly onLost: (error: BrokerError) => void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000

/** Opens a session, and another one whenever it ends, with growing pauses while that fails. */
export class Link<S extends Session> {
  readonly #options: LinkOptions<S>
  readonly #closing = new AbortController()
  readonly #opened = Promise.withResolvers<void>()
  readonly #ended: Promise<void>
  #session: S | undefined
  #lastError: string | undefined

  constructor(options: LinkOptions<S>) {
    this.#options = options
    this.#ended = this.#run()
  }

  /** Resolves after the first attempt; rejects if it failed for a reason that waiting can't mend. */
  opened(): Promise<void> {
    return this.#opened.promise
  }

  get session(): S | undefined {
    return this.#session
  }

  get lastError(): string | undefined {
    return this.#lastError
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#session?.close()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    let failures = 0
    while (!signal.aborted) {
      const { error, wasOpen } = await this.#once()
      if (signal.aborted) return
      this.#lastError = error.message
      if (!error.isTransient) {
        this.#opened.reject(error)
        this.#options.onLost(error)
        return
      }
      this.#opened.resolve()
      failures = wasOpen ? 0 : failures + 1
      await delay(pauseMs(failures), undefined, { signal }).catch(() => {})
    }
  }

  async #once(): Promise<{ error: BrokerError; wasOpen: boolean }> {
    let session: S
    try {
      session = await this.#options.open()
    } catch (error) {
      return { error: toBrokerError(error, 'The broker'), wasOpen: false }
    }
    this.#session = session
    this.#opened.resolve()
    if (this.#closing.signal.aborted) await session.close()
    const error = await session.over()
    this.#session = undefined
    return { error, wasOpen: true }
  }
}

/** With a random part, so that all clients that lost the same broker do not come back at once. */
function pauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2)
}
