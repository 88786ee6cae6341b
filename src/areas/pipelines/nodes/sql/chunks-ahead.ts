import type { SqlChunk } from '../../../../engines/sql/index.ts'

/**
 * Chunks of a read in their order, of which the next are read while somebody deals with those before, so that the database does not
 * wait for this side. About `maxBytes` are held at the most; of chunks that are no text, whose size nobody knows, one.
 */
export class ChunksAhead implements AsyncIterator<SqlChunk, undefined> {
  readonly #chunks: AsyncIterator<SqlChunk>
  readonly #maxBytes: number
  readonly #held: SqlChunk[] = []
  #heldBytes = 0
  /** Set once there is nothing more to read: at the end, after an error, or when nobody wants more. */
  #end: { readonly error?: unknown } | undefined
  #isReading = false
  #reading: Promise<void> | undefined
  #wake: (() => void) | undefined

  constructor(chunks: AsyncIterator<SqlChunk>, maxBytes: number) {
    this.#chunks = chunks
    this.#maxBytes = maxBytes
  }

  /** An error comes after the chunks that were read before it. */
  async next(): Promise<IteratorResult<SqlChunk, undefined>> {
    this.#readOn()
    while (this.#held.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const value = this.#held.shift()
    if (value !== undefined) {
      this.#heldBytes -= this.#sizeOf(value)
      this.#readOn()
      return { value, done: false }
    }
    if (this.#end?.error !== undefined) throw this.#end.error
    return { value: undefined, done: true }
  }

  /** Ends the read after the chunk that is under way. */
  async return(): Promise<IteratorResult<SqlChunk, undefined>> {
    this.#end = {}
    this.#held.splice(0)
    await this.#reading
    await this.#chunks.return?.()
    return { value: undefined, done: true }
  }

  #readOn(): void {
    if (!this.#isReading) this.#reading = this.#fill()
  }

  async #fill(): Promise<void> {
    this.#isReading = true
    while (this.#end === undefined && this.#heldBytes < this.#maxBytes) {
      try {
        const { value, done } = await this.#chunks.next()
        if (done === true) this.#end ??= {}
        else this.#hold(value)
      } catch (error) {
        this.#end ??= { error }
      }
      this.#wake?.()
    }
    this.#isReading = false
  }

  #hold(chunk: SqlChunk): void {
    if (this.#end !== undefined) return
    this.#held.push(chunk)
    this.#heldBytes += this.#sizeOf(chunk)
  }

  #sizeOf({ text }: SqlChunk): number {
    return text?.length ?? this.#maxBytes
  }
}
