const FIRST_BYTES = 64 * 1024

/** Bytes that arrive in pieces, collected in one buffer that can be handed to another thread without a copy. */
export class GrowingBody {
  #bytes: Uint8Array<ArrayBuffer>
  length = 0

  /** `expected`: the number of bytes, as far as it is known; memory that is not filled is not taken. */
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
