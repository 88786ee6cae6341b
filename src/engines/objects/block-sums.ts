import { crc32 } from 'node:zlib'

/** The unit of checking: as large as the smallest buffer that contents are read into. */
export const BLOCK_BYTES = 64 * 1024

/** Computes the checksums of content as it passes: 32 bits for each block. */
export class BlockSummer {
  readonly #sums: number[] = []
  #sum = 0
  #filled = 0

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + BLOCK_BYTES - this.#filled)
      this.#sum = crc32(piece, this.#sum)
      this.#filled += piece.length
      at += piece.length
      if (this.#filled === BLOCK_BYTES) this.#end()
    }
  }

  finish(): Uint8Array {
    if (this.#filled > 0) this.#end()
    return new Uint8Array(Uint32Array.from(this.#sums).buffer)
  }

  #end(): void {
    this.#sums.push(this.#sum)
    this.#sum = 0
    this.#filled = 0
  }
}

/** Whether bytes from the beginning of a block up to the end of one, or of the content, are unchanged. */
export function areSound(sums: Uint8Array, position: number, bytes: Uint8Array): boolean {
  const view = new DataView(sums.buffer, sums.byteOffset, sums.byteLength)
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const index = ((position + at) / BLOCK_BYTES) * 4
    if (index >= sums.byteLength) return false
    if (crc32(bytes.subarray(at, at + BLOCK_BYTES)) !== view.getUint32(index, true)) return false
  }
  return true
}
