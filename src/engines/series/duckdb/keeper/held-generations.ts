import type { SlabPool } from '../memory/blocks.ts'
import type { Generation } from '../memory/generation.ts'

/** Generations that somebody reads: the memory of one that is sealed is used for other points when nobody does any more. */
export class HeldGenerations {
  readonly #slabs: SlabPool
  /** How many read a generation. */
  readonly #readers = new Map<number, number>()
  readonly #retired = new Map<number, Generation>()

  constructor(slabs: SlabPool) {
    this.#slabs = slabs
  }

  /** Until they are released, the memory of these is not used for other points. */
  hold(generations: readonly number[]): void {
    for (const number of generations) this.#readers.set(number, (this.#readers.get(number) ?? 0) + 1)
  }

  release(generations: readonly number[]): void {
    for (const number of generations) {
      const readers = (this.#readers.get(number) ?? 1) - 1
      if (readers > 0) this.#readers.set(number, readers)
      else this.#readers.delete(number)
      this.#recycle(number)
    }
  }

  /** The points of this one are in files now. */
  retire(generation: Generation): void {
    this.#retired.set(generation.number, generation)
    this.#recycle(generation.number)
  }

  #recycle(number: number): void {
    const generation = this.#retired.get(number)
    if (generation === undefined || this.#readers.has(number)) return
    this.#retired.delete(number)
    this.#slabs.giveBack(generation.slabs)
  }
}
