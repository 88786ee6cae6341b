import { type FileHandle, open } from 'node:fs/promises'

const CHUNK_BYTES = 1 << 20

/** A stretch of a file that moves forward: what is done is left behind, what is not yet whole stays. */
export class FileWindow {
  readonly #file: FileHandle
  #buffer = Buffer.alloc(2 * CHUNK_BYTES)
  #length = 0
  /** Whether it reaches to the end of the file. */
  isAll = false

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(path: string): Promise<FileWindow> {
    return new FileWindow(await open(path))
  }

  get text(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Leaves behind all before `from`, and reads on. */
  async advance(from: number): Promise<void> {
    this.#buffer.copyWithin(0, from, this.#length)
    this.#length -= from
    // What is long is read in ever larger steps, so that it is not moved and searched again and again.
    const wanted = Math.max(CHUNK_BYTES, this.#length)
    if (this.#length + wanted > this.#buffer.length) {
      const larger = Buffer.alloc(this.#length + wanted)
      this.text.copy(larger)
      this.#buffer = larger
    }
    const { bytesRead } = await this.#file.read(this.#buffer, this.#length, wanted, null)
    this.#length += bytesRead
    this.isAll = bytesRead === 0
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
