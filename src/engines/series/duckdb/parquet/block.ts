/** Bytes after the last one that may be read, so that bits can be taken 8 bytes at a time everywhere. */
const PADDING_BYTES = 8

/** Unpacked bytes of a page. Reads beyond the end give arbitrary bytes, which the reader has to notice. */
export class Block {
  readonly bytes: Buffer
  readonly view: DataView

  private constructor(bytes: Buffer) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length + PADDING_BYTES)
  }

  /** Takes the bytes over if there is room after them, else copies them. */
  static of(bytes: Buffer): Block {
    if (bytes.buffer.byteLength - bytes.byteOffset >= bytes.length + PADDING_BYTES) return new Block(bytes)
    const padded = Buffer.allocUnsafeSlow(bytes.length + PADDING_BYTES)
    padded.set(bytes)
    return new Block(padded.subarray(0, bytes.length))
  }
}

/** The size of a buffer that `Block.of` takes over without a copy. */
export function paddedSize(sizeBytes: number): number {
  return sizeBytes + PADDING_BYTES
}
