/** A position in the log of the server. */
export type Lsn = bigint

/** What the plugin `pgoutput` says, as far as it matters here (protocol version 1: transactions come whole, once committed). */
export type Message =
  | { readonly kind: 'begin'; readonly commitAt: Lsn; readonly time: string }
  | { readonly kind: 'commit'; readonly endAt: Lsn }
  | ({ readonly kind: 'relation' } & SentTable)
  | { readonly kind: 'insert'; readonly relation: number; readonly after: Tuple }
  | { readonly kind: 'update'; readonly relation: number; readonly before: Before | undefined; readonly after: Tuple }
  | { readonly kind: 'delete'; readonly relation: number; readonly before: Before }
  | { readonly kind: 'truncate'; readonly relations: readonly number[] }

export interface SentTable {
  readonly id: number
  readonly name: readonly [schema: string, table: string]
  /** Whether the whole row before a change is sent, rather than its keys. */
  readonly isFull: boolean
  readonly columns: readonly SentColumn[]
}

export interface SentColumn {
  readonly name: string
  readonly isKey: boolean
  readonly oid: number
}

/** Texts of values; undefined is a large value that has not changed and was not sent. */
export type Tuple = readonly (string | null | undefined)[]

export interface Before {
  /** Only the keys are known, and the other values are null. */
  readonly isKeyOnly: boolean
  readonly tuple: Tuple
}

const letter = (text: string) => text.charCodeAt(0)
const [BEGIN, COMMIT, RELATION, INSERT, UPDATE, DELETE, TRUNCATE] = [...'BCRIUDT'].map(letter)
const [KEY, OLD] = [...'KO'].map(letter)
const [NULL, UNCHANGED] = [...'nu'].map(letter)
const FULL = letter('f')

/** Answers undefined for messages that say nothing of rows. The texts are copies: the bytes belong to the connection. */
export function decodeMessage(bytes: Buffer): Message | undefined {
  const reader = new Reader(bytes)
  switch (reader.byte()) {
    case BEGIN:
      return { kind: 'begin', commitAt: reader.long(), time: timeText(reader.long()) }
    case COMMIT:
      reader.byte()
      reader.long()
      return { kind: 'commit', endAt: reader.long() }
    case RELATION:
      return { kind: 'relation', ...relation(reader) }
    case INSERT: {
      const id = reader.int()
      reader.byte()
      return { kind: 'insert', relation: id, after: reader.tuple() }
    }
    case UPDATE: {
      const id = reader.int()
      const mark = reader.byte()
      if (mark !== KEY && mark !== OLD)
        return { kind: 'update', relation: id, before: undefined, after: reader.tuple() }
      const before = { isKeyOnly: mark === KEY, tuple: reader.tuple() }
      reader.byte()
      return { kind: 'update', relation: id, before, after: reader.tuple() }
    }
    case DELETE: {
      const id = reader.int()
      return { kind: 'delete', relation: id, before: { isKeyOnly: reader.byte() === KEY, tuple: reader.tuple() } }
    }
    case TRUNCATE: {
      const count = reader.int()
      reader.byte()
      return { kind: 'truncate', relations: Array.from({ length: count }, () => reader.int()) }
    }
    default:
      return undefined
  }
}

function relation(reader: Reader): SentTable {
  const id = reader.int()
  const name = [reader.name(), reader.name()] as const
  const isFull = reader.byte() === FULL
  const columns = Array.from({ length: reader.short() }, () => {
    const isKey = (reader.byte() & 1) === 1
    const column = { isKey, name: reader.name(), oid: reader.int() }
    reader.int() // its length or precision
    return column
  })
  return { id, name, isFull, columns }
}

const EPOCH_2000_MS = 946_684_800_000

/** Microseconds since the year 2000, as times of rows are written. */
function timeText(micros: bigint): string {
  const ms = Number(micros / 1000n) + EPOCH_2000_MS
  const [day, time = ''] = new Date(ms).toISOString().slice(0, -1).split('T')
  return `${day} ${time}${String(micros % 1000n).padStart(3, '0')}`
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++)
  }

  short(): number {
    this.#at += 2
    return this.#bytes.readUInt16BE(this.#at - 2)
  }

  int(): number {
    this.#at += 4
    return this.#bytes.readUInt32BE(this.#at - 4)
  }

  long(): bigint {
    this.#at += 8
    return this.#bytes.readBigUInt64BE(this.#at - 8)
  }

  name(): string {
    const end = this.#bytes.indexOf(0, this.#at)
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end + 1
    return text
  }

  tuple(): Tuple {
    return Array.from({ length: this.short() }, () => {
      const kind = this.byte()
      if (kind === NULL) return null
      if (kind === UNCHANGED) return undefined
      const length = this.int()
      this.#at += length
      return this.#bytes.toString('utf8', this.#at - length, this.#at)
    })
  }
}
