import { setTimeout } from 'node:timers/promises'
import { SeriesError } from '../../errors.ts'
import type { Generation } from '../memory/generation.ts'
import type { Sizes } from '../settings.ts'

/** A single writer gets three quarters of the room: with half, a fast writer would have to wait for lack of buffers. */
const TIMES_FREE = 3

interface Needs {
  readonly sizes: Sizes
  /** The generations in memory, with how much of them each holder has taken. */
  readonly kept: readonly { readonly generation: Generation; readonly heldBy: ReadonlyMap<string, number> }[]
  /** Throws where writes are not accepted any more. */
  requireSound(): void
}

/** The memory that points may take until they are in files, and how much of it each holder has. */
export class Room {
  readonly #needs: Needs
  #more = Promise.withResolvers<void>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Whether the holder may write: nobody gets more than some times the free room, so that the next one finds room. */
  hasSome(holder: string): boolean {
    let free = this.#needs.sizes.maxPointsInMemory
    let held = 0
    for (const { generation, heldBy } of this.#needs.kept) {
      free -= generation.slots
      held += heldBy.get(holder) ?? 0
    }
    return free * TIMES_FREE > held
  }

  /** Waits for a while until points were put into files, for writers that are faster than that. */
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

  /** To be called when points have left the memory. */
  tellOfMore(): void {
    this.#more.resolve()
    this.#more = Promise.withResolvers()
  }
}
