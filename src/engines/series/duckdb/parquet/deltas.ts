import type { Block } from './block.ts'
import { Cursor } from './cursor.ts'

/** Far more than any writer uses; a larger number means damage, and would cost memory. */
const MAX_BLOCK_ROWS = 65_536
/**
 * The upper part, beyond 24 bits, is read from 4 bytes at any bit. A double holds 53 bits, and no difference of
 * nanoseconds within a day needs more than 48.
 */
const MAX_BITS = 49
/** The value of one unit of the upper part. Read from an array, V8 takes it for a double. */
const UNITS = new Float64Array([2 ** 24])

/**
 * Whole numbers stored as differences to the one before, packed in blocks (DELTA_BINARY_PACKED). To reach a row, all
 * before it have to be added up once; after that the beginning of each block is known.
 */
export class Deltas {
  readonly length: number
  readonly #view: DataView
  readonly #cursor: Cursor
  readonly #blockRows: number
  readonly #miniRows: number
  readonly #widths: Uint8Array
  /** For each block that was reached: its position, and the number before its first difference. */
  readonly #places: Float64Array
  readonly #before: Float64Array
  #reached = 0
  /** The numbers of the block unpacked last, and its index. */
  readonly #numbers: Float64Array
  #unpacked = -1

  /** `origin` is subtracted from the numbers, so that large ones which lie close together are exact. */
  constructor(block: Block, start: number, end: number, origin: bigint) {
    const cursor = new Cursor(block.bytes, start, end)
    this.#view = block.view
    this.#cursor = cursor
    this.#blockRows = cursor.varint()
    const minis = cursor.varint()
    this.length = cursor.varint()
    this.#miniRows = this.#blockRows / minis
    if (!(this.#blockRows <= MAX_BLOCK_ROWS && this.#miniRows % 8 === 0 && this.#miniRows > 0)) {
      throw new Error(`it has blocks of ${this.#blockRows} in ${minis} parts`)
    }
    const first = Number(cursor.zigzagBig() - origin)
    // A block takes at least one byte for its least difference and one for each of its parts.
    if ((this.length / this.#blockRows) * (1 + minis) > end - cursor.pos + 1 + minis)
      throw new Error('it ends too early')
    this.#widths = new Uint8Array(minis)
    this.#places = new Float64Array(Math.ceil(this.length / this.#blockRows) + 1)
    this.#before = new Float64Array(this.#places.length)
    this.#places[0] = cursor.pos
    this.#before[0] = first
    this.#numbers = new Float64Array(Math.min(this.#blockRows, this.length) + 1)
  }

  /** The memory it takes beside the bytes of the page. */
  get sizeBytes(): number {
    return this.#places.byteLength + this.#before.byteLength + this.#numbers.byteLength
  }

  fill(out: Float64Array, at: number, row: number, count: number): void {
    for (let done = 0; done < count; ) {
      const index = Math.floor((row + done) / this.#blockRows)
      this.#unpack(index)
      const skip = row + done - index * this.#blockRows
      const length = Math.min(count - done, this.#blockRows - skip)
      out.set(this.#numbers.subarray(skip, skip + length), at + done)
      done += length
    }
  }

  /** The position after the last difference. */
  end(): number {
    if (this.length > 0) this.#unpack(Math.floor((this.length - 1) / this.#blockRows))
    return this.#cursor.pos
  }

  #unpack(index: number): void {
    if (index === this.#unpacked) return
    // Unpacking a block sets the position of the next one, also where that was known before.
    for (let i = Math.min(index, this.#reached); i <= index; i += 1) this.#unpackBlock(i)
    this.#unpacked = index
  }

  #unpackBlock(index: number): void {
    const cursor = this.#cursor
    const numbers = this.#numbers
    this.#unpacked = -1
    cursor.pos = this.#places[index] as number
    numbers[0] = this.#before[index] as number
    const differences = Math.min(this.length - 1 - index * this.#blockRows, this.#blockRows)
    if (differences > 0) {
      const least = cursor.zigzag()
      this.#widths.set(cursor.take(this.#widths.length))
      for (let done = 0; done < differences; done += this.#miniRows) {
        const bits = this.#widths[done / this.#miniRows] as number
        const data = cursor.pos
        cursor.skip((this.#miniRows / 8) * bits)
        add(this.#view, data, bits, least, numbers, done, Math.min(this.#miniRows, differences - done))
      }
    }
    this.#places[index + 1] = cursor.pos
    this.#before[index + 1] = numbers[Math.max(differences, 0)] as number
    this.#reached = Math.max(this.#reached, index + 1)
  }
}

/** Adds `count` differences one after the other, beginning with the number at `at`. */
function add(
  view: DataView,
  data: number,
  bits: number,
  least: number,
  out: Float64Array,
  at: number,
  count: number
): void {
  if (bits > MAX_BITS) throw new Error(`it has differences of ${bits} bits`)
  let sum = out[at] as number
  if (bits <= 25) {
    const mask = (1 << bits) - 1
    for (let i = 0, bit = 0; i < count; i += 1, bit = (bit + bits) | 0) {
      sum += least + ((view.getInt32(data + (bit >>> 3), true) >>> (bit & 7)) & mask)
      out[at + i + 1] = sum
    }
    return
  }
  const highMask = (1 << (bits - 24)) - 1
  const highUnit = UNITS[0] as number
  for (let i = 0, bit = 0; i < count; i += 1, bit = (bit + bits) | 0) {
    const place = data + (bit >>> 3)
    const shift = bit & 7
    const high = ((view.getInt32(place + 3, true) >>> shift) & highMask) * highUnit
    sum += least + high + ((view.getInt32(place, true) >>> shift) & 0xffffff)
    out[at + i + 1] = sum
  }
}

// With whole numbers only, V8 would compile integer sums with a check for each, at half the speed; a single fraction
// makes it compile sums of doubles.
for (const bits of [1, 26]) add(new DataView(new ArrayBuffer(16)), 0, bits, 0.5, new Float64Array(3), 0, 2)
