import { setTimeout } from 'node:timers/promises'
import { SeriesError } from '../../errors.ts'
import type { Generation } from '../memory/generation.ts'
import type { Sizes } from '../settings.ts'

/** One who writes alone gets three quarters of the room: half would hold up those who write fast, for want of buffers. */
const TIMES_FREE = 3

interface Needs {
  readonly sizes: Sizes
  /** What is in memory, with how much of it is whose. */
  readonly kept: readonly { readonly generation: Generation; readonly heldBy: ReadonlyMap<string, number> }[]
  /** Throws where nothing is promised any more. */
  requireSound(): void
}

/** The memory that points may take until they are in files, and who has how much of it. */
export class Room {
  readonly #needs: Needs
  #more = Promise.withResolvers<void>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Nobody gets more than some times what is still free, so that whoever comes next finds room. */
  hasSome(holder: string): boolean {
    let free = this.#needs.sizes.maxPointsInMemory
    let held = 0
    for (const { generation, heldBy } of this.#needs.kept) {
      free -= generation.slots
      held += heldBy.get(holder) ?? 0
    }
    return free * TIMES_FREE > held
  }

  /** Those who write faster than files can be made wait for some to be made, for a while. */
  async wait(holder: string, times = 1): Promise<void> {
    const endsMs = performance.now() + this.#needs.sizes.maxWaitMs * times
    while (!this.hasSome(holder)) {
      this.#needs.requireSound()
      if (performance.now() >= endsMs)
        throw new SeriesError('busy', 'Points come in faster than they can be put into files')
      await Promise.race([this.#more.promise, setTimeout(endsMs - performance.now(), undefined, { ref: false })])
    }
    this.#needs.requireSound()
  }

  /** Points have left the memory. */
  tellOfMore(): void {
    this.#more.resolve()
    this.#more = Promise.withResolvers()
  }
}
