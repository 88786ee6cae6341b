import { NO_TIME } from './columns.ts'

/** What may be kept of all that comes. */
export interface Room {
  /** Of each series. */
  readonly maxPoints: number
  /** Of all series together. */
  readonly maxRows: number
  readonly maxSeries: number
}

/** A row that is kept: its time and its numbers. */
export interface KeptRow {
  readonly time: bigint
  readonly values: readonly number[]
}

const HALF = 2 ** 32
/** Longer than from the first to the last time that 64 bits hold. */
const ALL_TIME = 2 ** 64

/**
 * Keeps so few rows of series that they fit a picture and look the same there: the time is cut into buckets, and of each bucket
 * the rows with the least and the greatest value of every column stay. Where there are too many buckets, neighbours become one;
 * so it needs to know neither how many rows come, nor from when to when, nor their order.
 */
export class Buckets {
  readonly #room: Room
  readonly #columns: number
  /** The numbers that a kept row takes: two halves of its time, and its values. */
  readonly #stride: number
  readonly #series = new Map<string, Map<number, Float64Array>>()
  #width: number
  #count = 0
  /** Whether there were more series than may be kept. */
  isCut = false

  /** `span`: how long the picture is, in the unit of the times. */
  constructor(room: Room, columns: number, span: number) {
    this.#room = room
    this.#columns = columns
    this.#stride = 2 + columns
    this.#width = Math.max(1, Math.ceil(span / this.#most))
  }

  /** Buckets of one series. */
  get #most(): number {
    return Math.max(1, Math.floor(this.#room.maxPoints / (2 * this.#columns)))
  }

  /** How long a bucket is, in the unit of the times. */
  get width(): number {
    return this.#width
  }

  /** Forgets all rows, but not how long buckets have to be for rows like these. */
  clear(): void {
    this.#series.clear()
    this.#count = 0
  }

  /** Takes rows of one series: those of the chunk whose numbers `rows` lists, or all of them. */
  add(name: string, halves: Int32Array, numbers: readonly Float64Array[], rows: Uint32Array | number): void {
    const isAll = typeof rows === 'number'
    const buckets = this.#bucketsOf(name)
    if (buckets === undefined) return
    const count = isAll ? rows : rows.length
    let bucket: Float64Array | undefined
    let [start, end] = [0, 0]
    for (let at = 0; at < count; at++) {
      const row = isAll ? at : (rows[at] as number)
      const high = halves[2 * row + 1] as number
      if (high === NO_TIME || high === -NO_TIME - 1) continue
      const low = (halves[2 * row] as number) >>> 0
      const time = high * HALF + low
      // Most rows are in the bucket of the row before.
      if (bucket === undefined || time < start || time >= end) {
        bucket = this.#bucketAt(buckets, Math.floor(time / this.#width))
        start = Math.floor(time / this.#width) * this.#width
        end = start + this.#width
      }
      this.#judge(bucket, high, low, numbers, row)
    }
  }

  /** The rows of each series, in the order of their times. */
  *rows(): Generator<readonly [name: string, rows: readonly KeptRow[]]> {
    for (const [name, buckets] of this.#series) {
      const rows: KeptRow[] = []
      for (const bucket of buckets.values()) rows.push(...this.#rowsOf(bucket))
      yield [name, rows.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))]
    }
  }

  #bucketsOf(name: string): Map<number, Float64Array> | undefined {
    const known = this.#series.get(name)
    if (known !== undefined) return known
    if (this.#series.size === this.#room.maxSeries) {
      this.isCut = true
      return undefined
    }
    const made = new Map<number, Float64Array>()
    this.#series.set(name, made)
    return made
  }

  #bucketAt(buckets: Map<number, Float64Array>, index: number): Float64Array {
    const known = buckets.get(index)
    if (known !== undefined) return known
    const made = new Float64Array(2 * this.#columns * this.#stride).fill(Number.NaN)
    buckets.set(index, made)
    this.#count++
    const { maxRows } = this.#room
    let at = index
    // Times before and after 1970 never become neighbours.
    while ((buckets.size > this.#most || this.#count * 2 * this.#columns > maxRows) && this.#width < ALL_TIME) {
      this.#widen()
      at = Math.floor(at / 2)
    }
    return buckets.get(at) as Float64Array
  }

  /** Makes one bucket of two neighbours, of every series. */
  #widen(): void {
    this.#width *= 2
    for (const buckets of this.#series.values()) {
      const old = [...buckets]
      buckets.clear()
      for (const [index, bucket] of old) this.#merge(buckets, Math.floor(index / 2), bucket)
    }
  }

  #merge(buckets: Map<number, Float64Array>, index: number, bucket: Float64Array): void {
    const other = buckets.get(index)
    if (other === undefined) {
      buckets.set(index, bucket)
      return
    }
    this.#count--
    for (let slot = 0; slot < 2 * this.#columns; slot++) {
      const at = slot * this.#stride
      if (isBetter(slot, valueIn(bucket, at, slot), valueIn(other, at, slot))) {
        other.set(bucket.subarray(at, at + this.#stride), at)
      }
    }
  }

  #judge(bucket: Float64Array, high: number, low: number, numbers: readonly Float64Array[], row: number): void {
    for (let column = 0; column < this.#columns; column++) {
      const value = (numbers[column] as Float64Array)[row] as number
      // What is infinite can't be drawn, and would stand for all others of its bucket.
      if (!Number.isFinite(value)) continue
      const least = 2 * column * this.#stride
      const greatest = least + this.#stride
      if (!(value >= (bucket[least + 2 + column] as number))) this.#keep(bucket, least, high, low, numbers, row)
      if (!(value <= (bucket[greatest + 2 + column] as number))) this.#keep(bucket, greatest, high, low, numbers, row)
    }
  }

  #keep(
    bucket: Float64Array,
    at: number,
    high: number,
    low: number,
    numbers: readonly Float64Array[],
    row: number
  ): void {
    bucket[at] = high
    bucket[at + 1] = low
    for (let column = 0; column < this.#columns; column++) {
      bucket[at + 2 + column] = (numbers[column] as Float64Array)[row] as number
    }
  }

  /** A row that is both the least and the greatest is one. */
  #rowsOf(bucket: Float64Array): KeptRow[] {
    const rows = new Map<string, KeptRow>()
    for (let slot = 0; slot < 2 * this.#columns; slot++) {
      const kept = bucket.subarray(slot * this.#stride, (slot + 1) * this.#stride)
      if (Number.isNaN(kept[0])) continue
      const time = (BigInt(kept[0] as number) << 32n) + BigInt(kept[1] as number)
      rows.set(kept.join(), { time, values: [...kept.subarray(2)] })
    }
    return [...rows.values()]
  }
}

/** The value that a row was kept for in a slot: slots of a column are its least and its greatest row. */
const valueIn = (bucket: Float64Array, at: number, slot: number): number =>
  bucket[at + 2 + Math.floor(slot / 2)] as number

const isBetter = (slot: number, value: number, than: number): boolean =>
  Number.isNaN(than) || (slot % 2 === 0 ? value < than : value > than)
