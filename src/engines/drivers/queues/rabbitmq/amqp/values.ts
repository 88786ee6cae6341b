import { jsonValue } from '../../messages.ts'

/** Tables within tables; no sender needs more, and each costs a call. */
const MAX_DEPTH = 50

/** The bytes are none of AMQP 0-9-1. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame'
}

/** What the bytes of a frame hold, one value after the other. Values of tables are as JSON has them. */
export class ValueReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  octet(): number {
    return this.#bytes.readUInt8(this.#take(1))
  }

  short(): number {
    return this.#bytes.readUInt16BE(this.#take(2))
  }

  long(): number {
    return this.#bytes.readUInt32BE(this.#take(4))
  }

  longLong(): bigint {
    return this.#bytes.readBigUInt64BE(this.#take(8))
  }

  shortText(): string {
    return this.bytes(this.octet()).toString()
  }

  bytes(length: number): Buffer {
    const from = this.#take(length)
    return this.#bytes.subarray(from, from + length)
  }

  table(depth = 0): [name: string, value: unknown][] {
    const end = this.#endOf(depth)
    const pairs: [string, unknown][] = []
    while (this.#at < end) pairs.push([this.shortText(), this.#value(depth)])
    if (this.#at !== end) throw new BadFrame('a table ends within a value')
    return pairs
  }

  #array(depth: number): unknown[] {
    const end = this.#endOf(depth)
    const values: unknown[] = []
    while (this.#at < end) values.push(this.#value(depth))
    if (this.#at !== end) throw new BadFrame('a list ends within a value')
    return values
  }

  #value(depth: number): unknown {
    const kind = String.fromCharCode(this.octet())
    switch (kind) {
      case 't':
        return this.octet() !== 0
      case 'b':
        return this.#bytes.readInt8(this.#take(1))
      case 'B':
        return this.octet()
      case 's':
        return this.#bytes.readInt16BE(this.#take(2))
      case 'u':
        return this.short()
      case 'I':
        return this.#bytes.readInt32BE(this.#take(4))
      case 'i':
        return this.long()
      case 'l':
        return wholeNumber(this.#bytes.readBigInt64BE(this.#take(8)))
      case 'f':
        return this.#bytes.readFloatBE(this.#take(4))
      case 'd':
        return this.#bytes.readDoubleBE(this.#take(8))
      case 'D':
        return decimal(this.octet(), this.#bytes.readInt32BE(this.#take(4)))
      case 'S':
        return jsonValue(this.bytes(this.long()))
      case 'x':
        return { base64: this.bytes(this.long()).toString('base64') }
      case 'A':
        return this.#array(depth + 1)
      case 'T':
        return wholeNumber(this.longLong())
      case 'F':
        return Object.fromEntries(this.table(depth + 1))
      case 'V':
        return null
    }
    throw new BadFrame('a value is of no known kind')
  }

  #endOf(depth: number): number {
    if (depth > MAX_DEPTH) throw new BadFrame('tables stand too deep within each other')
    const length = this.long()
    if (this.#at + length > this.#bytes.length) throw new BadFrame('a table is longer than its frame')
    return this.#at + length
  }

  #take(length: number): number {
    const from = this.#at
    if (from + length > this.#bytes.length) throw new BadFrame('a frame ends within a value')
    this.#at += length
    return from
  }
}

/** One that JSON would round becomes text. */
const wholeNumber = (value: bigint) =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value)

const decimal = (scale: number, value: number) => Number(`${value}e-${scale}`)

/** A text within a table of this side; a whole number of 64 bits where it is one; true or false; or such a table. */
export type TableValue = string | bigint | boolean | Table
export type Table = { readonly [name: string]: TableValue }

export const octet = (value: number) => Buffer.from([value])

export function short(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

export function long(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function longLong(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

/** Of 255 bytes at the most: callers see to it. */
export function shortText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([octet(bytes.length), bytes])
}

export function longText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([long(bytes.length), bytes])
}

export function table(values: Table): Buffer {
  const parts = Object.entries(values).flatMap(([name, value]) => [shortText(name), tableValue(value)])
  const bytes = Buffer.concat(parts)
  return Buffer.concat([long(bytes.length), bytes])
}

function tableValue(value: TableValue): Buffer {
  if (typeof value === 'string') return Buffer.concat([Buffer.from('S'), longText(value)])
  if (typeof value === 'bigint') return Buffer.concat([Buffer.from('l'), longLong(value)])
  if (typeof value === 'boolean') return Buffer.concat([Buffer.from('t'), octet(value ? 1 : 0)])
  return Buffer.concat([Buffer.from('F'), table(value)])
}
