import { SqlError } from './errors.ts'

interface Watched {
  readonly signal: AbortSignal | undefined
  /** The limit for each piece of work. */
  readonly timeoutMs: number
  /** Ends the work on the server; called at most once. */
  readonly stop: () => void
}

/** Ends a statement on the server when the caller's signal aborts or its time is up. */
export class Watch {
  readonly #watched: Watched
  #reason: { readonly error: unknown } | undefined
  #giveUp: ((error: unknown) => void) | undefined

  constructor(watched: Watched) {
    this.#watched = watched
    watched.signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (watched.signal?.aborted) this.#onAbort()
  }

  readonly #onAbort = () => this.halt(this.#watched.signal?.reason)

  /** Whether the statement was stopped, so that the connection can't be used any more. */
  get isStopped(): boolean {
    return this.#reason !== undefined
  }

  throwIfStopped(): void {
    if (this.#reason !== undefined) throw this.#reason.error
  }

  /** Runs one piece of work; only one at a time. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.throwIfStopped()
    const { timeoutMs } = this.#watched
    const late = () => this.halt(new SqlError('timeout', `The database took longer than ${timeoutMs} ms`))
    const timer = setTimeout(late, timeoutMs)
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#giveUp = reject
        work().then(resolve, reject)
      })
    } finally {
      this.#giveUp = undefined
      clearTimeout(timer)
    }
  }

  end(): void {
    this.#watched.signal?.removeEventListener('abort', this.#onAbort)
  }

  /** Ends the work with this error. */
  halt(error: unknown): void {
    if (this.#reason !== undefined) return
    this.#reason = { error }
    this.end()
    this.#giveUp?.(error)
    this.#watched.stop()
  }
}
