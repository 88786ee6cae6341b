import type { Block } from './block.ts'
import { Cursor } from './cursor.ts'
import { outside, unpack } from './unpack.ts'

/** Wider indexes would need more than the 4 bytes that are read at once; dictionaries are far smaller. */
const MAX_BITS = 25

/**
 * Small whole numbers, repeated or bit-packed: Parquet's hybrid of run lengths and bit packing for indexes into a
 * dictionary and for nulls. Reading goes on where the last reading ended, so that reading in order is cheap.
 */
export class Runs {
  readonly #view: DataView
  readonly #cursor: Cursor
  readonly #start: number
  readonly #bits: number
  /**
   * The run that holds the row read last: its first row, its length, and the repeated number (-1: packed from `#data`
   * on).
   */
  #first = 0
  #length = 0
  #repeated = -1
  #data = 0
  #near = 0
  #index: { readonly firsts: Int32Array; readonly places: Int32Array } | undefined

  constructor(block: Block, start: number, end: number, bits: number) {
    if (bits > MAX_BITS) throw new Error(`its indexes have ${bits} bits`)
    this.#view = block.view
    this.#cursor = new Cursor(block.bytes, start, end)
    this.#start = start
    this.#bits = bits
  }

  /** Puts `lookup[number]` of `count` rows, from `row` on, into `out`. */
  fill(lookup: Float64Array, out: Float64Array, at: number, row: number, count: number): void {
    this.#seek(row)
    let done = 0
    for (;;) {
      const skip = row + done - this.#first
      const length = Math.min(count - done, this.#length - skip)
      if (this.#repeated < 0) this.#unpack(lookup, out, at + done, skip, length)
      else out.fill(found(lookup, this.#repeated), at + done, at + done + length)
      done += length
      if (done >= count) return
      this.#advance()
    }
  }

  /** `lookup[number]` of one row, which is among the first `count`. */
  at(lookup: Float64Array, row: number, count: number): number {
    this.#index ??= this.#indexed(count)
    const { firsts, places } = this.#index
    // Successive rows are mostly near each other.
    const isNear = row >= (firsts[this.#near] as number) && row < (firsts[this.#near + 1] ?? Number.POSITIVE_INFINITY)
    if (!isNear) this.#near = runOf(firsts, row)
    const run = this.#near
    const place = places[run] as number
    if (place < 0) return found(lookup, -1 - place)
    const bit = (row - (firsts[run] as number)) * this.#bits
    const index = (this.#view.getUint32(place + (bit >>> 3), true) >>> (bit & 7)) & (2 ** this.#bits - 1)
    return found(lookup, index)
  }

  /** Visits the first `count` rows in order, with one call for each run of equal values. */
  visit(lookup: Float64Array, count: number, each: (value: number, count: number) => void): void {
    const unpacked = new Float64Array(1024)
    for (let row = 0; row < count; ) {
      this.#seek(row)
      const repeated = this.#repeated >= 0
      const limit = repeated ? count : unpacked.length
      const length = Math.min(count - row, this.#first + this.#length - row, limit)
      if (repeated) each(found(lookup, this.#repeated), length)
      else {
        this.#unpack(lookup, unpacked, 0, row - this.#first, length)
        for (let i = 0; i < length; i += 1) each(unpacked[i] as number, 1)
      }
      row += length
    }
  }

  /** For each run its first row, and either its position if it is packed, or -1 less the repeated number. */
  #indexed(count: number): { readonly firsts: Int32Array; readonly places: Int32Array } {
    const firsts: number[] = []
    const places: number[] = []
    for (let row = 0; row < count; row = this.#first + this.#length) {
      this.#seek(row)
      firsts.push(this.#first)
      places.push(this.#repeated < 0 ? this.#data : -1 - this.#repeated)
    }
    return { firsts: Int32Array.from(firsts), places: Int32Array.from(places) }
  }

  #seek(row: number): void {
    if (row < this.#first) {
      this.#cursor.pos = this.#start
      this.#first = 0
      this.#length = 0
    }
    while (row >= this.#first + this.#length) this.#advance()
  }

  #advance(): void {
    const cursor = this.#cursor
    this.#first += this.#length
    const header = cursor.varint()
    this.#data = cursor.pos
    if (header % 2 === 1) {
      const groups = (header - 1) / 2
      this.#length = groups * 8
      this.#repeated = -1
      cursor.skip(groups * this.#bits)
    } else {
      this.#length = header / 2
      this.#repeated = 0
      for (let bits = 0; bits < this.#bits; bits += 8) this.#repeated += cursor.byte() * 2 ** bits
    }
  }

  #unpack(lookup: Float64Array, out: Float64Array, at: number, skip: number, count: number): void {
    unpack({ view: this.#view, data: this.#data, bits: this.#bits, lookup }, skip, out, at, count)
  }
}

/** The last run that begins at this row or before it. */
function runOf(firsts: Int32Array, row: number): number {
  let run = 0
  for (let end = firsts.length; end - run > 1; ) {
    const middle = (run + end) >>> 1
    if ((firsts[middle] as number) <= row) run = middle
    else end = middle
  }
  return run
}

function found(lookup: Float64Array, index: number): number {
  if (index >= lookup.length) throw outside(index, lookup.length)
  return lookup[index] as number
}
