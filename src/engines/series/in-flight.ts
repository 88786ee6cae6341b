import { SeriesError } from './errors.ts'

/**
 * Counts the bytes of writes that were not answered yet. No holder gets more of them than are still free, but every
 * holder may have one write of any size.
 */
export class InFlight {
  readonly #held = new Map<string, number>()
  #free: number

  constructor(maxBytes: number) {
    this.#free = maxBytes
  }

  /** The returned function has to be called when the write is answered. */
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
