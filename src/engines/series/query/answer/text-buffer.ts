/** Answers are handed on in pieces of about this size. */
const CHUNK_BYTES = 65_536
/** A buffer is larger by this than a piece, so that a row always fits. */
const SPARE_BYTES = 4096

const encoder = new TextEncoder()

/** Bytes of an answer as they are written. */
export class TextBuffer {
  bytes = new Uint8Array(CHUNK_BYTES + SPARE_BYTES)
  length = 0

  get isFull(): boolean {
    return this.length >= CHUNK_BYTES
  }

  /** Makes room for so many more bytes. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.length + more, 2 * this.bytes.length))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }

  text(text: string): void {
    this.reserve(3 * text.length)
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written
  }

  /** Hands over what was written; the buffer does not use it any more. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length)
    this.bytes = new Uint8Array(CHUNK_BYTES + SPARE_BYTES)
    this.length = 0
    return taken
  }
}

/** Copies a few bytes; for so few a loop is quicker than a call of the runtime. */
export function copyBytes(bytes: Uint8Array, from: number, piece: Uint8Array): number {
  for (let at = 0; at < piece.length; at++) bytes[from + at] = piece[at] as number
  return from + piece.length
}
