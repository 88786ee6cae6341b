import type { Clock } from '../engines/clock.ts'
import { within } from '../engines/timing.ts'

interface Needs<T> {
  readonly clock: Clock
  readonly everyMs: number
  /** How long the first who asks waits at most. */
  readonly waitMs: number
  find(): Promise<T>
  /** Told why it could not be found out. */
  report(error: unknown): void
}

/**
 * Something that costs too much to be found out whenever somebody asks: it is looked for at most every so often, only
 * while somebody asks, one look at a time, and nobody but the first waits for it.
 */
export class Remembered<T> {
  readonly #needs: Needs<T>
  #value: T | undefined
  #foundMs: number | undefined
  #looking: Promise<void> | undefined

  constructor(needs: Needs<T>) {
    this.#needs = needs
  }

  /** What was found last; undefined where nothing was, or the last look failed. */
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
