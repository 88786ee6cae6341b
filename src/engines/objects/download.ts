import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { areSound, BLOCK_BYTES } from './block-sums.ts'

/** Bytes on their way out: at hand, from the network, or in a file that the HTTP layer reads the fastest way it can. */
export type DownloadBody = Buffer | Readable | FileSlice

/** What is known of the bytes of a file. */
export interface Known {
  /** The size of the whole file. */
  readonly sizeBytes: number
  /** As `BlockSummer` makes them. */
  readonly sums: Uint8Array
  /** Called where the bytes differ; the error it returns is thrown. */
  onDamage(): Error
}

/** A part of a file; the receiver has to read or close it. */
export class FileSlice {
  readonly file: FileHandle
  readonly start: number
  /** Exclusive. */
  readonly end: number
  readonly #known: Known | undefined
  #first: Buffer | undefined

  /** Without `known` the bytes are read unchecked. */
  constructor(file: FileHandle, { start, end }: { readonly start: number; readonly end: number }, known?: Known) {
    this.file = file
    this.start = start
    this.end = end
    this.#known = known
  }

  /**
   * The bytes from `position` on, as many as fit into a buffer of whole blocks, and at least one. Fails rather than
   * answer damaged bytes: blocks are read whole, and checked before any of it is answered.
   */
  async read(buffer: Buffer, position: number): Promise<Buffer> {
    const first = position === this.start ? this.#first : undefined
    if (first !== undefined) {
      this.#first = undefined
      return buffer.subarray(0, first.copy(buffer))
    }
    const from = position - (position % BLOCK_BYTES)
    const limit = Math.min(this.#known?.sizeBytes ?? this.end, Math.ceil(this.end / BLOCK_BYTES) * BLOCK_BYTES)
    const wanted = Math.min(buffer.length, limit - from)
    let filled = 0
    while (filled < wanted) {
      const { bytesRead } = await this.file.read(buffer, filled, wanted - filled, from + filled)
      if (bytesRead === 0) throw this.#known?.onDamage() ?? new Error('The file is shorter than its record says')
      filled += bytesRead
    }
    const bytes = buffer.subarray(0, filled)
    if (this.#known !== undefined && !areSound(this.#known.sums, from, bytes)) throw this.#known.onDamage()
    return bytes.subarray(position - from, this.end - from)
  }

  /** Reads the first block, which the next `read` returns: so damage there is found before an answer has begun. */
  async begin(): Promise<void> {
    if (this.#known !== undefined) this.#first = await this.read(Buffer.allocUnsafe(BLOCK_BYTES), this.start)
  }

  /** Reads and checks all of it, for a caller that uses the file itself. */
  async check(signal?: AbortSignal): Promise<void> {
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    for (let position = this.start; position < this.end; ) {
      signal?.throwIfAborted()
      position += (await this.read(buffer, position)).length
    }
  }

  close(): Promise<void> {
    return this.file.close()
  }
}

/** The bytes as an iterable, whatever kind of body it is. */
export async function* readDownload(body: DownloadBody): AsyncGenerator<Uint8Array> {
  if (Buffer.isBuffer(body)) {
    yield body
    return
  }
  if (!(body instanceof FileSlice)) {
    yield* body
    return
  }
  try {
    for (let position = body.start; position < body.end; ) {
      const bytes = await body.read(Buffer.allocUnsafe(READ_BYTES), position)
      position += bytes.length
      yield bytes
    }
  } finally {
    await body.close()
  }
}

const READ_BYTES = 256 * 1024
