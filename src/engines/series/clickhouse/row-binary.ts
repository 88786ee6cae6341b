const EMPTY = new Uint8Array(0)
const TWO_32 = 2 ** 32

/** Reads ClickHouse's RowBinary format: fixed widths, little-endian, texts after their length. */
export class RowReader {
  #bytes: Uint8Array = EMPTY
  #view: DataView = new DataView(EMPTY.buffer)
  #at = 0

  /**
   * Calls `read` once for each row, and yields when it has to wait for more bytes. A row that is cut off is read
   * again from its start, so `read` must keep nothing before it has read the whole row.
   */
  async *run(body: AsyncIterable<Uint8Array>, read: (row: RowReader) => void): AsyncGenerator<void> {
    for await (const chunk of body) {
      this.#take(chunk)
      while (this.#at < this.#bytes.length) {
        const start = this.#at
        try {
          read(this)
        } catch (error) {
          if (!(error instanceof RangeError)) throw error
          this.#at = start
          break
        }
      }
      yield
    }
    if (this.#at < this.#bytes.length) throw new Error('an answer ended within a row')
  }

  #take(chunk: Uint8Array): void {
    const rest = this.#bytes.subarray(this.#at)
    this.#bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
    this.#at = 0
  }

  uint8(): number {
    const value = this.#view.getUint8(this.#at)
    this.#at += 1
    return value
  }

  uint32(): number {
    const value = this.#view.getUint32(this.#at, true)
    this.#at += 4
    return value
  }

  float64(): number {
    const value = this.#view.getFloat64(this.#at, true)
    this.#at += 8
    return value
  }

  /** An Int64 that a double can hold. */
  whole(): number {
    const value = this.#view.getInt32(this.#at + 4, true) * TWO_32 + this.#view.getUint32(this.#at, true)
    this.#at += 8
    return value
  }

  int64(): bigint {
    const value = this.#view.getBigInt64(this.#at, true)
    this.#at += 8
    return value
  }

  uint64(): bigint {
    return BigInt.asUintN(64, this.int64())
  }

  /** The bytes of a text; valid until the next row. */
  bytes(): Uint8Array {
    const length = this.#length()
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('the row goes on')
    const bytes = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return bytes
  }

  text(): string {
    const bytes = this.bytes()
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  }

  #length(): number {
    let length = 0
    let factor = 1
    for (;;) {
      const byte = this.uint8()
      length += (byte & 0x7f) * factor
      if (byte < 0x80) return length
      factor *= 0x80
    }
  }
}

/** All rows of a small answer. */
export async function allRows<T>(body: AsyncIterable<Uint8Array>, read: (row: RowReader) => T): Promise<T[]> {
  const rows: T[] = []
  for await (const _ of new RowReader().run(body, (row) => rows.push(read(row))));
  return rows
}

/** Writes rows in the same format, into one buffer that grows. */
export class RowWriter {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #view: DataView = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
  length = 0

  /** Makes room for so many more bytes. `text` does so itself; before all others this has to be called. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.length)
    this.#bytes = grown
    this.#view = new DataView(grown.buffer, grown.byteOffset, grown.length)
  }

  uint8(value: number): void {
    this.#view.setUint8(this.length, value)
    this.length += 1
  }

  float64(value: number): void {
    this.#view.setFloat64(this.length, value, true)
    this.length += 8
  }

  /** A 64-bit number in two halves, since most are computed as plain numbers. */
  halves(high: number, low: number): void {
    this.#view.setUint32(this.length, low, true)
    this.#view.setInt32(this.length + 4, high, true)
    this.length += 8
  }

  int64(value: bigint): void {
    this.#view.setBigInt64(this.length, BigInt.asIntN(64, value), true)
    this.length += 8
  }

  raw(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Makes room for the text itself, and for so many bytes after it. */
  text(value: string, bytesBehind = 0): void {
    const length = Buffer.byteLength(value)
    this.reserve(length + 5 + bytesBehind)
    let rest = length
    while (rest >= 0x80) {
      this.uint8((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.uint8(rest)
    this.#bytes.write(value, this.length)
    this.length += length
  }

  /** The bytes written; the buffer is not used again. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }
}
