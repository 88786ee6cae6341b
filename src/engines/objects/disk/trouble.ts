import { StoreError } from '../errors.ts'
import { IndexEnded } from './index-thread.ts'

/** An intermittent failure is not over with the first success. */
const LASTS_MS = 30_000
/** Errors of the store itself, which a request can't cause. */
const STORE_FAULTS = new Set(['store_full', 'unwritable', 'store_failed', 'index_damaged'])
/** Errors for which a trial write tells at once whether they are over. */
const SETTLED_BY_TRIAL = new Set(['store_full', 'unwritable'])

/** Remembers recent errors of writes: reading works on a full disk. */
export class Trouble {
  readonly #now: () => number
  #last: { readonly error: StoreError; readonly atMs: number } | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  note(error: unknown): void {
    if (!(error instanceof StoreError) || !STORE_FAULTS.has(error.code)) return
    if (error instanceof IndexEnded) return // the next request opens a new one
    this.#last = { error, atMs: this.#now() }
  }

  /**
   * Throws what is wrong, until a trial write succeeds and, for errors that a trial can't be sure about, some time
   * has passed.
   */
  async check(trial: () => Promise<void>): Promise<void> {
    if (this.#last === undefined) return
    const { error, atMs } = this.#last
    if (!SETTLED_BY_TRIAL.has(error.code) && Math.abs(this.#now() - atMs) < LASTS_MS) throw error
    await trial()
    this.#last = undefined
  }
}
