import { randomInt } from 'node:crypto'
import { EQUALS, SPACE } from './bytes.ts'
import type { TypeCode } from './type-codes.ts'

const MAX_ENTRIES = 2_000_000
const MAX_KEY_BYTES = 256 * 1024 * 1024
const FIRST_ENTRIES = 64

/** A number that no entry has. */
export const NOT_CACHED = -1

/** The seed of hashes: it differs in each process, so that nobody can choose names that all collide. */
export const HASH_SEED = randomInt(2 ** 31)

/** Adds a byte to a hash. */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 16_777_619)
}

/** The positions of a key's two parts in a body, and the hash of all their bytes. */
export interface SeriesKey {
  seriesStart: number
  seriesEnd: number
  fieldStart: number
  fieldEnd: number
  hash: number
  /** What `seriesOf` gave for another field of the same line: this saves comparing the series again. */
  series: number
}

export const UNKNOWN_SERIES = -1

export function emptyKey(): SeriesKey {
  return { seriesStart: 0, seriesEnd: 0, fieldStart: 0, fieldEnd: 0, hash: 0, series: UNKNOWN_SERIES }
}

/**
 * The numbers that are kept of an entry: where its key begins, how long it is, its tag, its series and the entry that
 * followed it last time, plus one.
 */
const KEY_START = 0
const SERIES_LENGTH = 1
const FIELD_LENGTH = 2
const TAG = 3
const TYPE = 4
const SERIES = 5
const FOLLOWER = 6
const ENTRY_SIZE = 8

/**
 * Maps the bytes of a series and a field, as they were written, to their tag. Two spellings of one tag are two
 * entries. Only valid lines are entered; when the cache is full it starts over.
 */
export class SeriesCache {
  #count = 0
  /** Is not reset when the cache starts over, so that no two series ever have the same number. */
  #nextSeries = 0
  #entries = new Int32Array(FIRST_ENTRIES * ENTRY_SIZE)
  /** Pairs of a hash and an entry's number plus one; at most half of the slots are taken. */
  #slots = new Int32Array(FIRST_ENTRIES * 4)
  #keys = Buffer.alloc(FIRST_ENTRIES * 32)
  #keysLength = 0

  tagOf(entry: number): number {
    return this.#entries[entry * ENTRY_SIZE + TAG] as number
  }

  typeOf(entry: number): TypeCode {
    return this.#entries[entry * ENTRY_SIZE + TYPE] as TypeCode
  }

  seriesOf(entry: number): number {
    return this.#entries[entry * ENTRY_SIZE + SERIES] as number
  }

  /** The entry that followed this one last time: most writers send the same fields in the same order. */
  followerOf(entry: number): number {
    return (this.#entries[entry * ENTRY_SIZE + FOLLOWER] as number) - 1
  }

  follow(entry: number, follower: number): void {
    this.#entries[entry * ENTRY_SIZE + FOLLOWER] = follower + 1
  }

  /**
   * The position of the equals sign, if a line that starts here has this entry's series and field; else `NOT_CACHED`.
   */
  lineKeyEnd(bytes: Buffer, start: number, entry: number): number {
    const from = entry * ENTRY_SIZE
    const length = this.#entries[from + SERIES_LENGTH] as number
    if (bytes[start + length] !== SPACE) return NOT_CACHED
    if (!isSame(this.#keys, this.#entries[from + KEY_START] as number, bytes, start, length)) return NOT_CACHED
    return this.fieldEnd(bytes, start + length + 1, entry)
  }

  /** The same for a field that starts here, of any series. */
  fieldEnd(bytes: Buffer, start: number, entry: number): number {
    const from = entry * ENTRY_SIZE
    const length = this.#entries[from + FIELD_LENGTH] as number
    const keyStart = (this.#entries[from + KEY_START] as number) + (this.#entries[from + SERIES_LENGTH] as number)
    return bytes[start + length] === EQUALS && isSame(this.#keys, keyStart, bytes, start, length)
      ? start + length
      : NOT_CACHED
  }

  find(bytes: Buffer, key: SeriesKey): number {
    const slots = this.#slots
    const mask = slots.length - 2
    const { hash } = key
    let slot = slotOf(hash) & mask
    let entry = (slots[slot + 1] as number) - 1
    while (entry >= 0) {
      if (slots[slot] === hash && this.#isKey(entry, bytes, key)) return entry
      slot = (slot + 2) & mask
      entry = (slots[slot + 1] as number) - 1
    }
    return NOT_CACHED
  }

  /** Adds an entry; answers its number. */
  add(bytes: Buffer, key: SeriesKey, tag: number, type: TypeCode): number {
    const seriesLength = key.seriesEnd - key.seriesStart
    const fieldLength = key.fieldEnd - key.fieldStart
    const keyLength = seriesLength + fieldLength
    if (this.#count === MAX_ENTRIES || this.#keysLength + keyLength > MAX_KEY_BYTES) this.clear()
    if (this.#count * ENTRY_SIZE === this.#entries.length) this.#grow()
    const start = this.#keysLength
    this.#keysLength += keyLength
    if (this.#keysLength > this.#keys.length) this.#keys = Buffer.concat([this.#keys], this.#keysLength * 2)
    bytes.copy(this.#keys, start, key.seriesStart, key.seriesEnd)
    bytes.copy(this.#keys, start + seriesLength, key.fieldStart, key.fieldEnd)
    const entry = this.#count++
    const series = key.series === UNKNOWN_SERIES ? this.#nextSeries++ : key.series
    this.#entries.set([start, seriesLength, fieldLength, tag, type, series, 0], entry * ENTRY_SIZE)
    place(this.#slots, key.hash, entry)
    return entry
  }

  clear(): void {
    this.#count = 0
    this.#keysLength = 0
    this.#slots.fill(0)
    // Followers are numbers of entries, which are not valid any more.
    this.#entries.fill(0)
  }

  #isKey(entry: number, bytes: Buffer, key: SeriesKey): boolean {
    const entries = this.#entries
    const from = entry * ENTRY_SIZE
    const { seriesStart, fieldStart } = key
    const seriesLength = key.seriesEnd - seriesStart
    const fieldLength = key.fieldEnd - fieldStart
    if (entries[from + SERIES_LENGTH] !== seriesLength || entries[from + FIELD_LENGTH] !== fieldLength) return false
    const start = entries[from + KEY_START] as number
    if (!isSame(this.#keys, start + seriesLength, bytes, fieldStart, fieldLength)) return false
    return entries[from + SERIES] === key.series || isSame(this.#keys, start, bytes, seriesStart, seriesLength)
  }

  #grow(): void {
    const entries = new Int32Array(this.#entries.length * 2)
    entries.set(this.#entries)
    this.#entries = entries
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    for (let slot = 0; slot < old.length; slot += 2) {
      const entry = (old[slot + 1] as number) - 1
      if (entry >= 0) place(this.#slots, old[slot] as number, entry)
    }
  }
}

function isSame(a: Buffer, aStart: number, b: Buffer, bStart: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (a[aStart + at] !== b[bStart + at]) return false
  return true
}

function place(slots: Int32Array, hash: number, entry: number): void {
  const mask = slots.length - 2
  let slot = slotOf(hash) & mask
  while (slots[slot + 1] !== 0) slot = (slot + 2) & mask
  slots[slot] = hash
  slots[slot + 1] = entry + 1
}

/** Mixes the hash, because its low bits depend only on the low bits of the bytes. */
function slotOf(hash: number): number {
  return hash ^ (hash >>> 15)
}
