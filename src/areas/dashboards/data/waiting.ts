import type { Clock } from '../../../engines/clock.ts'

/** What somebody was told to come back for goes on being read for so long: longer than a query may take. */
const GOES_ON_MS = 60_000
/** Requests whose panels go on being read at once; beyond that the oldest one ends. */
const MAX_GOING_ON = 1000

/** Somebody who waits for an answer, who may have been told meanwhile to come back for it. */
export interface Waiting {
  /** Ends what is read for them. */
  readonly signal: AbortSignal
  /** Whether they were told to come back: what is read then is kept for them. */
  readonly isLate: boolean
  /** When they began to wait. */
  readonly sinceMs: number
  /** What `work` answers; undefined where they have waited long enough, and it goes on alone. */
  forAnswer<T>(work: (waiting: Waiting) => Promise<T>): Promise<T | undefined>
}

/** Those who were told to come back, as long as something is read for them. */
export class WaitingRoom {
  readonly #clock: Clock
  readonly #goingOn = new Set<AbortController>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `waitMs`: how long they wait at most; to the end if undefined. Where `signal` aborts, what is read for them ends at once. */
  enter(signal: AbortSignal, waitMs: number | undefined): Waiting {
    const leaving = new AbortController()
    const waiting = {
      signal: leaving.signal,
      isLate: false,
      sinceMs: this.#clock.now(),
      forAnswer: async <T>(work: (waiting: Waiting) => Promise<T>): Promise<T | undefined> => {
        const late = Promise.withResolvers<undefined>()
        const beLate = () => {
          waiting.isLate = true
          this.#goOn(leaving)
          late.resolve(undefined)
        }
        const leave = () => leaving.abort(signal.reason)
        signal.addEventListener('abort', leave, { once: true })
        if (signal.aborted) leave()
        const cancel = waitMs === undefined ? () => {} : this.#clock.after(waitMs, beLate)
        const working = work(waiting).finally(() => {
          cancel()
          signal.removeEventListener('abort', leave)
          this.#goingOn.delete(leaving)
        })
        working.catch(() => {}) // where nobody waits any more, it is told to whoever comes back
        return Promise.race([working, late.promise])
      }
    }
    return waiting
  }

  #goOn(leaving: AbortController): void {
    this.#goingOn.add(leaving)
    const [oldest] = this.#goingOn
    if (this.#goingOn.size > MAX_GOING_ON) this.#end(oldest as AbortController)
    const cancel = this.#clock.after(GOES_ON_MS, () => this.#end(leaving))
    leaving.signal.addEventListener('abort', cancel, { once: true })
  }

  #end(leaving: AbortController): void {
    if (this.#goingOn.delete(leaving)) leaving.abort(new Error('Nobody came back for it'))
  }
}
