const FIRST_BYTES = 64 * 1024

/** Bytes that arrive in pieces, in memory of their own, which can be handed to another thread. They lie there once. */
export class GrowingBody {
  #bytes: Uint8Array<ArrayBuffer>
  length = 0

  /** `expected`: how many there will be, as far as that is known; what is not filled takes no memory. */
  constructor(expected: number | undefined) {
    this.#bytes = new Uint8Array(expected ?? FIRST_BYTES)
  }

  add(piece: Uint8Array): void {
    const length = this.length + piece.length
    if (length > this.#bytes.length) this.#resize(Math.max(length, this.#bytes.length * 2))
    this.#bytes.set(piece, this.length)
    this.length = length
  }

  finish(): Uint8Array<ArrayBuffer> {
    if (this.length < this.#bytes.length) this.#resize(this.length)
    return this.#bytes
  }

  #resize(size: number): void {
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(size))
  }
}
