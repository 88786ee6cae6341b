import { SeriesError } from './errors.ts'

/**
 * Bytes of writes that have not been answered. Nobody gets more of them than are still free, but one write, whatever its
 * size, is taken of everybody.
 */
export class InFlight {
  readonly #held = new Map<string, number>()
  #free: number

  constructor(maxBytes: number) {
    this.#free = maxBytes
  }

  /** The caller says when it is answered. */
  begin(holder: string, bytes: number): () => void {
    const held = this.#held.get(holder) ?? 0
    if (held > 0 && held + bytes > this.#free) {
      throw new SeriesError('busy', 'Too much is being written at once')
    }
    this.#held.set(holder, held + bytes)
    this.#free -= bytes
    return () => {
      const left = (this.#held.get(holder) as number) - bytes
      if (left > 0) this.#held.set(holder, left)
      else this.#held.delete(holder)
      this.#free += bytes
    }
  }
}
