import { batchType, Column, type DataType, float64, int64, TimeUnit, timestamp, utf8 } from '@uwdata/flechette'
import type { TagRows } from '../rows.ts'
import { copyBytes } from './text-buffer.ts'

/** A column of the record batch that is being built. */
export interface ArrowColumn {
  readonly name: string
  readonly sizeBytes: number
  append(rows: TagRows, row: number): void
  /** The column so far. It is valid until the next append, which begins a new one. */
  take(): Column<unknown>
}

/** Which rows of a batch have a value. */
class Validity {
  readonly #bits: Uint8Array
  #nullCount = 0

  constructor(maxRows: number) {
    this.#bits = new Uint8Array(Math.ceil(maxRows / 8))
  }

  add(row: number, isValid: boolean): void {
    if (isValid) this.#bits[row >> 3] = (this.#bits[row >> 3] as number) | (1 << (row & 7))
    else this.#nullCount++
  }

  take(length: number): { readonly length: number; readonly nullCount: number; readonly validity: Uint8Array } {
    const facts = { length, nullCount: this.#nullCount, validity: this.#bits.slice(0, Math.ceil(length / 8)) }
    this.#bits.fill(0)
    this.#nullCount = 0
    return facts
  }
}

/** Numbers, null where NaN. */
export class Doubles implements ArrowColumn {
  readonly name: string
  readonly #of: (rows: TagRows, row: number) => number
  readonly #values: Float64Array
  readonly #validity: Validity
  #length = 0

  constructor(name: string, maxRows: number, of: (rows: TagRows, row: number) => number) {
    this.name = name
    this.#of = of
    this.#values = new Float64Array(maxRows)
    this.#validity = new Validity(maxRows)
  }

  get sizeBytes(): number {
    return this.#length * 8
  }

  append(rows: TagRows, row: number): void {
    const value = this.#of(rows, row)
    this.#values[this.#length] = value
    this.#validity.add(this.#length++, !Number.isNaN(value))
  }

  take(): Column<unknown> {
    const facts = this.#validity.take(this.#length)
    const column = columnOf(float64(), { ...facts, values: this.#values.subarray(0, this.#length) })
    this.#length = 0
    return column
  }
}

/** Whole numbers, none of them null. */
export class Longs implements ArrowColumn {
  readonly name: string
  readonly #type: DataType
  readonly #of: (rows: TagRows, row: number) => bigint
  readonly #values: BigInt64Array
  #length = 0

  constructor(name: string, maxRows: number, of: (rows: TagRows, row: number) => bigint, type: DataType = int64()) {
    this.name = name
    this.#type = type
    this.#of = of
    this.#values = new BigInt64Array(maxRows)
  }

  get sizeBytes(): number {
    return this.#length * 8
  }

  append(rows: TagRows, row: number): void {
    this.#values[this.#length++] = this.#of(rows, row)
  }

  take(): Column<unknown> {
    const values = this.#values.subarray(0, this.#length)
    const column = columnOf(this.#type, { length: this.#length, nullCount: 0, validity: new Uint8Array(0), values })
    this.#length = 0
    return column
  }
}

export const NANOSECONDS: DataType = timestamp(TimeUnit.NANOSECOND, 'UTC')

const encoder = new TextEncoder()

/** Texts, null where undefined. Most repeat the one before. */
export class Texts implements ArrowColumn {
  readonly name: string
  readonly #of: (rows: TagRows, row: number) => string | undefined
  readonly #offsets: Int32Array
  readonly #validity: Validity
  #bytes = new Uint8Array(4096)
  #length = 0
  #last = ''
  #lastBytes = new Uint8Array(0)

  constructor(name: string, maxRows: number, of: (rows: TagRows, row: number) => string | undefined) {
    this.name = name
    this.#of = of
    this.#offsets = new Int32Array(maxRows + 1)
    this.#validity = new Validity(maxRows)
  }

  get sizeBytes(): number {
    return this.#offsets[this.#length] as number
  }

  append(rows: TagRows, row: number): void {
    const text = this.#of(rows, row)
    const from = this.sizeBytes
    this.#validity.add(this.#length, text !== undefined)
    this.#offsets[++this.#length] = text === undefined ? from : this.#write(from, text)
  }

  take(): Column<unknown> {
    const facts = this.#validity.take(this.#length)
    const offsets = this.#offsets.subarray(0, this.#length + 1)
    const column = columnOf(utf8(), { ...facts, offsets, values: this.#bytes.subarray(0, this.sizeBytes) })
    this.#length = 0
    return column
  }

  #write(from: number, text: string): number {
    if (text !== this.#last) {
      this.#last = text
      this.#lastBytes = encoder.encode(text)
    }
    if (from + this.#lastBytes.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * (from + this.#lastBytes.length))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    return copyBytes(this.#bytes, from, this.#lastBytes)
  }
}

type BatchFacts = Omit<ConstructorParameters<ReturnType<typeof batchType>>[0], 'type'>

function columnOf(type: DataType, facts: BatchFacts): Column<unknown> {
  const Batch = batchType(type)
  return new Column([new Batch({ type, ...facts })])
}
