/** Reads bytes one after the other, never beyond their end. */
export class Cursor {
  readonly bytes: Uint8Array
  pos: number
  readonly end: number

  constructor(bytes: Uint8Array, pos = 0, end: number = bytes.length) {
    this.bytes = bytes
    this.pos = pos
    this.end = end
  }

  byte(): number {
    if (this.pos >= this.end) throw new Error('it ends too early')
    return this.bytes[this.pos++] as number
  }

  take(length: number): Uint8Array {
    const from = this.pos
    this.skip(length)
    return this.bytes.subarray(from, this.pos)
  }

  skip(length: number): void {
    if (!(length >= 0 && length <= this.end - this.pos)) throw new Error('it ends too early')
    this.pos += length
  }

  /** An unsigned number with seven bits per byte, the lowest first. */
  varint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (value > Number.MAX_SAFE_INTEGER) throw new Error('it holds a number that is too large')
      if (byte < 0x80) return value
      scale *= 128
      if (scale > 2 ** 63) throw new Error('it holds a number that does not end')
    }
  }

  /** A signed number: 0, -1, 1, -2, … are stored as 0, 1, 2, 3, … */
  zigzag(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  zigzagBig(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = this.byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return (value >> 1n) ^ -(value & 1n)
    }
    throw new Error('it holds a number that does not end')
  }
}
