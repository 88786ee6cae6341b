/** Reads what MySQL writes, one thing after the other; numbers begin with their lowest byte. */
export class Bytes {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isOver(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** A whole number of up to six bytes without a sign. */
  number(length: number): number {
    this.#at += length
    return this.#bytes.readUIntLE(this.#at - length, length)
  }

  signed(length: number): number {
    this.#at += length
    return this.#bytes.readIntLE(this.#at - length, length)
  }

  /** Times and decimals begin with their highest byte. */
  bigEndian(length: number): number {
    this.#at += length
    return length === 0 ? 0 : this.#bytes.readUIntBE(this.#at - length, length)
  }

  long(): bigint {
    this.#at += 8
    return this.#bytes.readBigUInt64LE(this.#at - 8)
  }

  float(): number {
    this.#at += 4
    return this.#bytes.readFloatLE(this.#at - 4)
  }

  double(): number {
    this.#at += 8
    return this.#bytes.readDoubleLE(this.#at - 8)
  }

  /** A number that says itself how long it is. */
  packed(): number {
    const first = this.number(1)
    if (first < 251) return first
    if (first === 252) return this.number(2)
    return first === 253 ? this.number(3) : Number(this.long())
  }

  /** A part of these bytes, not a copy. */
  take(length: number): Buffer {
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at)
  }
}
