import { BACKSLASH, COMMA, EQUALS, endsLine, NEWLINE, RETURN, SPACE } from './bytes.ts'
import { type Instant, TIME_READ } from './instant.ts'
import { type PlainValue, VALUE_READ } from './plain-value.ts'
import type { PointBatch } from './points.ts'
import { emptyKey, HASH_SEED, hashByte, NOT_CACHED, type SeriesCache, UNKNOWN_SERIES } from './series-cache.ts'

/** Lines with more fields are left to the careful reader. */
const MAX_FIELDS = 64

const NOT_READ = -1

/**
 * Reads lines of the usual form whose tags are known, in one pass over the bytes and without making texts. Any other
 * line is left to the careful reader, and only that one refuses lines.
 */
export class FastLines {
  /** How many lines the last call of `run` has read. */
  taken = 0
  readonly #cache: SeriesCache
  readonly #value: PlainValue
  readonly #time: Instant
  readonly #key = emptyKey()
  #seriesHash = HASH_SEED
  /** The entry of the field read last, also by earlier calls. */
  #last = 0

  constructor(cache: SeriesCache, value: PlainValue, time: Instant) {
    this.#cache = cache
    this.#value = value
    this.#time = time
  }

  /**
   * Reads on from the start of a line; answers the start of the first line that it could not read, or the end of the
   * bytes.
   */
  run(bytes: Buffer, start: number, now: Instant, out: PointBatch): number {
    let at = start
    let taken = 0
    while (at < bytes.length) {
      out.reserve(MAX_FIELDS)
      const rows = this.#fields(bytes, at, out)
      if (rows === 0) break
      const end = this.#end(bytes, this.#value.end, rows, now, out)
      if (end === NOT_READ) break
      taken++
      at = end
    }
    this.taken = taken
    return at
  }

  /**
   * Puts the fields into rows beyond the batch's count; answers how many, zero where the line is not of the usual
   * form.
   */
  #fields(bytes: Buffer, start: number, out: PointBatch): number {
    const value = this.#value
    const cache = this.#cache
    const { tags, values, flags, length } = out
    this.#key.seriesEnd = NOT_READ
    let entry = this.#last
    let at = start
    for (let rows = 0; rows < MAX_FIELDS; ) {
      entry = this.#entry(bytes, start, at, entry)
      if (entry === NOT_CACHED || value.read(bytes, this.#key.fieldEnd + 1) !== VALUE_READ) return 0
      if (cache.typeOf(entry) !== value.type || value.exact !== undefined) return 0
      const row = length + rows
      tags[row] = cache.tagOf(entry)
      values[row] = value.value
      flags[row] = 0
      rows++
      this.#last = entry
      if (bytes[value.end] !== COMMA) return rows
      at = value.end + 1
    }
    return 0
  }

  /**
   * The entry of the field that starts here; for the first field that is the start of the line. Sets the end of its
   * key.
   */
  #entry(bytes: Buffer, lineStart: number, start: number, before: number): number {
    const key = this.#key
    const cache = this.#cache
    const isFirst = start === lineStart
    const likely = cache.followerOf(before)
    if (likely !== NOT_CACHED && (isFirst || cache.seriesOf(likely) === cache.seriesOf(before))) {
      const end = isFirst ? cache.lineKeyEnd(bytes, start, likely) : cache.fieldEnd(bytes, start, likely)
      key.fieldEnd = end
      if (end !== NOT_CACHED) return likely
    }
    if (key.seriesEnd === NOT_READ && !this.#series(bytes, lineStart)) return NOT_CACHED
    if (!this.#field(bytes, isFirst ? key.seriesEnd + 1 : start)) return NOT_CACHED
    key.series = isFirst ? UNKNOWN_SERIES : cache.seriesOf(before)
    const entry = cache.find(bytes, key)
    if (entry !== NOT_CACHED) cache.follow(before, entry)
    return entry
  }

  /** Reads up to the first space that is not escaped. */
  #series(bytes: Buffer, start: number): boolean {
    const key = this.#key
    let hash = HASH_SEED
    let at = start
    let byte = bytes[at] as number
    while (byte !== SPACE) {
      if (byte === NEWLINE) return false
      hash = hashByte(hash, byte)
      const escapes = byte === BACKSLASH
      byte = bytes[++at] as number
      if (escapes && (byte === SPACE || byte === COMMA || byte === EQUALS)) {
        hash = hashByte(hash, byte)
        byte = bytes[++at] as number
      }
    }
    key.seriesStart = start
    key.seriesEnd = at
    this.#seriesHash = hash
    return true
  }

  /** Reads up to the equals sign. A key with anything that could be escaped is not read here. */
  #field(bytes: Buffer, start: number): boolean {
    let hash = this.#seriesHash
    let at = start
    let byte = bytes[at] as number
    while (byte !== EQUALS) {
      if (byte <= SPACE || byte === COMMA || byte === BACKSLASH) return false
      hash = hashByte(hash, byte)
      byte = bytes[++at] as number
    }
    const key = this.#key
    key.fieldStart = start
    key.fieldEnd = at
    key.hash = hash
    return true
  }

  /** Reads the time and completes the rows; answers where the next line starts. */
  #end(bytes: Buffer, from: number, rows: number, now: Instant, out: PointBatch): number {
    let at = from
    let time = now
    if (bytes[at] === SPACE) {
      time = this.#time
      if (time.read(bytes, at + 1) !== TIME_READ) return NOT_READ
      at = time.end
    }
    if (!endsLine(bytes, at)) return NOT_READ
    const { days, ns, length } = out
    for (let row = length; row < length + rows; row++) {
      days[row] = time.day
      ns[row] = time.ns
    }
    out.length = length + rows
    return bytes[at] === RETURN ? at + 2 : at + 1
  }
}
