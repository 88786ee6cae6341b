import { createHash } from 'node:crypto'
import { type DigestStream, hashThreads } from './hash-threads.ts'

/** Hexadecimal. */
export interface Digests {
  readonly md5: string
  readonly sha256: string
}

/** Below this it takes less time to hash than to ask somebody else to. */
const HERE_BYTES = 128 * 1024

/** MD5 and SHA-256 of what passes: small contents here, large ones on other threads. */
export class Digester {
  #held: Buffer[] = []
  #heldBytes = 0
  #stream: DigestStream | undefined

  /**
   * Takes a batch and passes it on, in the same memory or in shared blocks, of which each can be read until the next one
   * is asked for. The other threads can be behind by a few blocks only.
   */
  async *pass(batch: readonly Buffer[]): AsyncGenerator<readonly Buffer[]> {
    if (this.#stream !== undefined) {
      for await (const block of this.#stream.pass(batch)) yield [block]
      return
    }
    this.#held.push(...batch)
    for (const { length } of batch) this.#heldBytes += length
    if (this.#heldBytes > HERE_BYTES) {
      this.#stream = hashThreads().open()
      const held = this.#held
      this.#held = []
      for await (const _ of this.#stream.pass(held));
    }
    yield batch
  }

  async digest(): Promise<Digests> {
    if (this.#stream !== undefined) return this.#stream.digest()
    const md5 = createHash('md5')
    const sha256 = createHash('sha256')
    for (const chunk of this.#held) {
      md5.update(chunk)
      sha256.update(chunk)
    }
    return { md5: md5.digest('hex'), sha256: sha256.digest('hex') }
  }

  /** After the end, or when the rest will not come. */
  close(): void {
    this.#held = []
    this.#stream?.close()
  }
}
