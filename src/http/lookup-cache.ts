import type { Clock } from '../engines/clock.ts'
import { within } from '../engines/timing.ts'

interface Needs<T> {
  readonly clock: Clock
  readonly everyMs: number
  /** How long the first caller waits at most. */
  readonly waitMs: number
  find(): Promise<T>
  /** Called with the reason when the value could not be found out. */
  report(error: unknown): void
}

/**
 * A value that is too costly to find out for every caller: it is looked up at most every so often, only when somebody
 * asks, one lookup at a time, and only the first caller waits for it.
 */
export class LookupCache<T> {
  readonly #needs: Needs<T>
  #value: T | undefined
  #foundMs: number | undefined
  #looking: Promise<void> | undefined

  constructor(needs: Needs<T>) {
    this.#needs = needs
  }

  /** The value found last; undefined where there is none yet or the last lookup failed. */
  async get(): Promise<T | undefined> {
    const { clock, everyMs, waitMs } = this.#needs
    const isFirst = this.#foundMs === undefined
    if (isFirst || clock.elapsed() - (this.#foundMs as number) >= everyMs) this.#looking ??= this.#look()
    if (isFirst && this.#looking !== undefined) await within(clock, waitMs, this.#looking, () => {})
    return this.#value
  }

  async #look(): Promise<void> {
    const { clock, find, report } = this.#needs
    try {
      this.#value = await find()
    } catch (error) {
      this.#value = undefined
      report(error)
    }
    this.#foundMs = clock.elapsed()
    this.#looking = undefined
  }
}
