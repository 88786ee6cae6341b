import type { SlabPool } from '../memory/blocks.ts'
import type { Generation } from '../memory/generation.ts'

/** Generations that somebody reads: the memory of a sealed one is only used again when its last reader is done. */
export class HeldGenerations {
  readonly #slabs: SlabPool
  /** The number of readers of each generation. */
  readonly #readers = new Map<number, number>()
  readonly #retired = new Map<number, Generation>()

  constructor(slabs: SlabPool) {
    this.#slabs = slabs
  }

  /** Keeps the memory of these generations from being used again until they are released. */
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

  /** To be called when the points of a generation are in files. */
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
