/** What can be read beyond the last byte, so that bits are taken 8 bytes at a time wherever they end. */
const PADDING_BYTES = 8

/** Unpacked bytes of a page. Reads beyond its end give anything and must be noticed by who reads. */
export class Block {
  readonly bytes: Buffer
  readonly view: DataView

  private constructor(bytes: Buffer) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length + PADDING_BYTES)
  }

  /** Takes the bytes over where there is room behind them, else copies them. */
  static of(bytes: Buffer): Block {
    if (bytes.buffer.byteLength - bytes.byteOffset >= bytes.length + PADDING_BYTES) return new Block(bytes)
    const padded = Buffer.allocUnsafeSlow(bytes.length + PADDING_BYTES)
    padded.set(bytes)
    return new Block(padded.subarray(0, bytes.length))
  }
}

/** Room for so many bytes that `Block.of` takes over without a copy. */
export function paddedSize(sizeBytes: number): number {
  return sizeBytes + PADDING_BYTES
}
