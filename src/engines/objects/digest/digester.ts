import { createHash } from 'node:crypto'
import { type DigestStream, hashThreads } from './hash-threads.ts'

/** Digests in hexadecimal. */
export interface Digests {
  readonly md5: string
  readonly sha256: string
}

/** Smaller content is hashed here: that takes less time than a message to a thread. */
const HERE_BYTES = 128 * 1024

/** Computes MD5 and SHA-256 of content that passes: small content here, large content on other threads. */
export class Digester {
  #held: Buffer[] = []
  #heldBytes = 0
  #stream: DigestStream | undefined

  /**
   * Hashes a batch and passes it on, in the same memory or in shared blocks, each of which is valid until the next
   * one is asked for. The other threads can be behind by a few blocks only.
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

  /** To be called after the end, or when the rest will not come. */
  close(): void {
    this.#held = []
    this.#stream?.close()
  }
}
