import { type ObjectStore, StoreError } from '../../../engines/objects/index.ts'
import { type CheckFailure, toFailure } from './failure.ts'

/** Something that a test has put into a store, or may have. */
export interface Remnant {
  /** What it is and where, for whoever has to remove it by hand. */
  readonly what: string
  /** The permission that removing it takes. */
  readonly permission: string
  remove(store: ObjectStore): Promise<void>
}

/** After these, what was asked for may have been done all the same. */
const UNCERTAIN = new Set(['timed_out', 'store_failed', 'connection_refused'])

/** What has to be removed again, whatever else happens. */
export class Remnants {
  /** Whether it is known to be there. */
  readonly #all = new Map<Remnant, boolean>()

  add(remnant: Remnant, isSure: boolean): void {
    this.#all.set(remnant, isSure)
  }

  drop(remnant: Remnant): void {
    this.#all.delete(remnant)
  }

  /** Does what leaves `remnant` behind, unless the store says that nothing came of it. */
  async making<T>(remnant: Remnant, work: () => Promise<T>): Promise<T> {
    this.#all.set(remnant, false)
    try {
      const made = await work()
      this.#all.set(remnant, true)
      return made
    } catch (error) {
      if (error instanceof StoreError && !UNCERTAIN.has(error.code)) this.#all.delete(remnant)
      throw error
    }
  }

  /** The last first; answers why something is still there, if it is. */
  async remove(store: ObjectStore): Promise<CheckFailure | undefined> {
    let first: CheckFailure | undefined
    for (const remnant of [...this.#all.keys()].reverse()) {
      try {
        await remnant.remove(store)
        this.#all.delete(remnant)
      } catch (error) {
        const failure = toFailure(error, remnant.permission)
        if (failure.code === 'no_such_bucket') this.#all.delete(remnant)
        else first ??= failure
      }
    }
    return first
  }

  /** What is still there. */
  names(): string[] {
    return [...this.#all].map(([{ what }, isSure]) => (isSure ? what : `perhaps ${what}`))
  }
}
