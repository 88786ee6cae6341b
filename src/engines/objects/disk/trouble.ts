import { StoreError } from '../errors.ts'
import { IndexEnded } from './index-thread.ts'

/** What fails now and then is not over with the first that goes well. */
const LASTS_MS = 30_000
/** What a request can't be to blame for. */
const OF_THE_STORE = new Set(['store_full', 'unwritable', 'store_failed', 'index_damaged'])
/** What a trial says at once whether it is over. */
const TRIED = new Set(['store_full', 'unwritable'])

/** What those who write have met lately: reading goes well on a full disk. */
export class Trouble {
  readonly #now: () => number
  #last: { readonly error: StoreError; readonly atMs: number } | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  note(error: unknown): void {
    if (!(error instanceof StoreError) || !OF_THE_STORE.has(error.code)) return
    if (error instanceof IndexEnded) return // the next who asks opens another
    this.#last = { error, atMs: this.#now() }
  }

  /** Throws what is wrong, until a trial goes well and, but for what a trial is sure of, some time has passed. */
  async check(trial: () => Promise<void>): Promise<void> {
    if (this.#last === undefined) return
    const { error, atMs } = this.#last
    if (!TRIED.has(error.code) && Math.abs(this.#now() - atMs) < LASTS_MS) throw error
    await trial()
    this.#last = undefined
  }
}
