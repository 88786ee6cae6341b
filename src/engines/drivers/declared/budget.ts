import { BoundedMap } from '../../bounded-map.ts'
import type { Clock } from '../../clock.ts'
import { SourceError } from '../errors.ts'
import type { Entry } from './entry.ts'
import { waited } from './waiting.ts'

/** Longer than this nobody waits: it is an error that says when to try again. */
export const MAX_WAIT_MS = 300_000
/** Credentials that are remembered; those that were used last stay. */
const MAX_BUDGETS = 10_000
const MAX_REQUESTS = 10_000

/** How often a service may be asked with the same credentials: all that do so take their turns here. */
export class Budget {
  readonly #clock: Clock
  readonly #requests: number
  readonly #windowMs: number
  /** When the last requests were begun, as many as fit into a window. */
  readonly #begun: number[] = []
  #pausedUntilMs = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(clock: Clock, rate?: Entry['rate']) {
    this.#clock = clock
    this.#requests = rate === undefined ? 0 : Math.min(MAX_REQUESTS, Math.max(1, Math.floor(rate.requests)))
    this.#windowMs = (rate?.seconds ?? 0) * 1000
  }

  /** Waits until one more request is permitted. */
  async take(signal: AbortSignal): Promise<void> {
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    try {
      await before
      for (let waitMs = this.#waitMs(); waitMs > 0; waitMs = this.#waitMs()) {
        if (waitMs > MAX_WAIT_MS) throw tooOften(this.#clock, waitMs)
        await waited(this.#clock, waitMs, signal)
      }
      signal.throwIfAborted()
      this.#begun.push(this.#clock.elapsed())
      if (this.#begun.length > this.#requests) this.#begun.shift()
    } finally {
      resolve()
    }
  }

  /** Lets nobody ask for so long. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.elapsed() + ms)
  }

  #waitMs(): number {
    const now = this.#clock.elapsed()
    const [oldest] = this.#begun
    const isFull = this.#requests > 0 && this.#begun.length >= this.#requests
    const free = isFull && oldest !== undefined ? oldest + this.#windowMs : now
    return Math.max(free, this.#pausedUntilMs) - now
  }
}

export function tooOften(clock: Clock, waitMs: number): SourceError {
  const at = new Date(clock.now() + waitMs).toISOString().slice(0, 19)
  return new SourceError('rate_limited', `It was asked too often; it can be asked again at ${at} UTC`)
}

const budgets = new BoundedMap<string, Budget>(MAX_BUDGETS)

/** The budget of credentials, by their hash: the same for all reads of this process. */
export function sharedBudget(key: string, clock: Clock, rate: Entry['rate']): Budget {
  const budget = budgets.get(key) ?? new Budget(clock, rate)
  budgets.set(key, budget)
  return budget
}
