import { DataError } from './errors.ts'

/** A reader that takes nothing for this long is taken to be gone. */
const READER_LIMIT_MS = 60_000

/** The time of one query. Its signal aborts when the time is used up, or when the caller or the plane cancels. */
export class Budget {
  readonly signal: AbortSignal
  readonly #timeoutMs: number
  readonly #late = new AbortController()
  #leftMs: number
  #runningSinceMs = 0
  #timer: NodeJS.Timeout | undefined
  #hasEnded = false

  constructor(timeoutMs: number, signals: readonly AbortSignal[]) {
    this.#timeoutMs = timeoutMs
    this.#leftMs = timeoutMs
    this.signal = AbortSignal.any([this.#late.signal, ...signals])
    this.resume()
  }

  /** Stops the query's time while the reader works on what it has got. */
  pause(): void {
    this.#leftMs -= performance.now() - this.#runningSinceMs
    this.#arm(READER_LIMIT_MS, `Nothing of the answer was taken for ${READER_LIMIT_MS / 1000} s.`)
  }

  resume(): void {
    this.#runningSinceMs = performance.now()
    this.#arm(
      this.#leftMs,
      `The query took longer than the ${this.#timeoutMs} ms it may take. Filter earlier, name fewer columns, store large files of text as Parquet, or ask when less else runs.`
    )
  }

  /** Stops the timer for good: a late reader may still call `pause` and `resume`. */
  end(): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
  }

  #arm(delayMs: number, message: string): void {
    clearTimeout(this.#timer)
    if (this.#hasEnded) return
    this.#timer = setTimeout(() => this.#late.abort(new DataError('timeout', message)), Math.max(delayMs, 0))
  }
}

/** The reason of an abort as a `DataError`. */
export function reasonOf(signal: AbortSignal): DataError {
  if (signal.reason instanceof DataError) return signal.reason
  return new DataError('cancelled', 'The query was cancelled.', { cause: signal.reason })
}
