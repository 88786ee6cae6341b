import type { Clock } from '../clock.ts'
import { OutboundError } from './errors.ts'

export interface Limit {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Host and port, for messages. */
  readonly where: string
}

/** One limit over all that a call does; the caller's signal or a shutdown may end it sooner. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #expiry = Promise.withResolvers<never>()
  readonly #release: () => void

  /** Adds itself to `open` until the call is over. */
  constructor(clock: Clock, { timeoutMs, signal, where }: Limit, open: Set<Deadline>) {
    open.add(this)
    this.#expiry.promise.catch(() => {})
    const cancelTimer = clock.after(timeoutMs, () => {
      this.abort(
        new OutboundError(
          'timeout',
          `${where} gave no complete answer within ${timeoutMs} ms; check that it is up, or allow more time`
        )
      )
    })
    const onAbort = () => this.abort(new OutboundError('aborted', `The call to ${where} was cancelled`))
    signal?.addEventListener('abort', onAbort)
    this.#release = () => {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
      open.delete(this)
    }
    if (signal?.aborted) onAbort()
  }

  /** Aborts with an `OutboundError` as its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /**
   * Starts `work` if there is time left, and settles as it does; or rejects when the time is up, and `work` goes on
   * alone.
   */
  async race<T>(work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted()
    return Promise.race([work(), this.#expiry.promise])
  }

  abort(reason: OutboundError): void {
    this.end()
    this.#controller.abort(reason)
    this.#expiry.reject(this.signal.reason)
  }

  /** Ends the deadline: releases the timer and the caller's signal. */
  end(): void {
    this.#release()
  }
}
