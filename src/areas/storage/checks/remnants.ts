import { type ObjectStore, StoreError } from '../../../engines/objects/index.ts'
import { type CheckFailure, toFailure } from './failure.ts'

/** Something that a test has put into a store, or may have. */
export interface Remnant {
  /** What it is and where, for somebody who has to remove it by hand. */
  readonly what: string
  /** The permission that is needed to remove it. */
  readonly permission: string
  remove(store: ObjectStore): Promise<void>
}

/** After these errors the request may have been carried out all the same. */
const UNCERTAIN = new Set(['timed_out', 'store_failed', 'connection_refused'])

/** Everything that a test has to remove again, whatever else happens. */
export class Remnants {
  /** The value tells whether the remnant is known to exist. */
  readonly #all = new Map<Remnant, boolean>()

  add(remnant: Remnant, isSure: boolean): void {
    this.#all.set(remnant, isSure)
  }

  drop(remnant: Remnant): void {
    this.#all.delete(remnant)
  }

  /** Runs work that leaves `remnant` behind; forgets the remnant where the store says that nothing was done. */
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

  /** Removes all, the last first; answers the first failure. */
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

  /** The remnants that still exist, or may exist. */
  names(): string[] {
    return [...this.#all].map(([{ what }, isSure]) => (isSure ? what : `perhaps ${what}`))
  }
}
