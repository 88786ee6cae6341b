import type { TagType } from '../index.ts'
import { readName } from './escapes.ts'
import { LineRefusal } from './line-refusal.ts'
import type { TagRegistry } from './points.ts'
import { emptyKey, HASH_SEED, hashByte, NOT_CACHED, type SeriesCache, UNKNOWN_SERIES } from './series-cache.ts'
import { notText, readSeries, type SeriesSpans } from './series-key.ts'
import { MAX_NAME_BYTES, nameTooLong, tooManyTags, typeConflict } from './tag-limits.ts'
import { tagNameOf } from './tag-name.ts'
import type { Refusal } from './tally.ts'
import { codeOf, type TypeCode, typeOf } from './type-codes.ts'

const ARTICLES: Readonly<Record<TagType, string>> = {
  float: 'a float',
  integer: 'an integer',
  unsigned: 'an unsigned integer',
  boolean: 'a boolean',
  string: 'a text'
}

const ADVICE: Readonly<Record<TagType, string>> = {
  float: 'write 5.0 or 5, without i or u',
  integer: 'write whole numbers with i, like 5i',
  unsigned: 'write whole numbers with u, like 5u',
  boolean: 'write true or false',
  string: 'write texts in double quotes'
}

/** A series and a field as texts, with the tag name made of them. */
interface Named {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

/** Finds the tag of a field at a position in a line. */
export class LineTags {
  readonly #registry: TagRegistry
  readonly #cache: SeriesCache
  readonly #key = emptyKey()
  #series: SeriesSpans = { start: 0, measurementEnd: 0, end: 0, labels: [] }
  #seriesHash = HASH_SEED

  constructor(registry: TagRegistry, cache: SeriesCache) {
    this.#registry = registry
    this.#cache = cache
  }

  /** Sets the series that the next fields belong to. */
  use(bytes: Buffer, series: SeriesSpans): void {
    this.#series = series
    this.#seriesHash = hashed(HASH_SEED, bytes, series.start, series.end)
    const key = this.#key
    key.seriesStart = series.start
    key.seriesEnd = series.end
    key.series = UNKNOWN_SERIES
  }

  /** The registry's number for the tag of this field. */
  find(bytes: Buffer, fieldStart: number, fieldEnd: number, type: TypeCode): number | LineRefusal {
    const key = this.#key
    key.fieldStart = fieldStart
    key.fieldEnd = fieldEnd
    key.hash = hashed(this.#seriesHash, bytes, fieldStart, fieldEnd)
    const found = this.#cache.find(bytes, key)
    const entry = found === NOT_CACHED ? this.#resolve(bytes, type) : found
    if (entry instanceof LineRefusal) return entry
    key.series = this.#cache.seriesOf(entry)
    const known = this.#cache.typeOf(entry)
    return known === type ? this.#cache.tagOf(entry) : this.#conflict(bytes, known, type)
  }

  #resolve(bytes: Buffer, type: TypeCode): number | LineRefusal {
    const named = this.#named(bytes)
    if (named instanceof LineRefusal) return named
    const tag = this.#registry.resolve(named.name, named.labels, typeOf(type))
    if (tag === undefined) return placed(tooManyTags(named.name), this.#key.seriesStart)
    return this.#cache.add(bytes, this.#key, tag.id, codeOf(tag.type))
  }

  #conflict(bytes: Buffer, known: TypeCode, given: TypeCode): LineRefusal {
    const named = this.#named(bytes)
    if (named instanceof LineRefusal) return named
    const type = typeOf(known)
    const found = `this line has ${ARTICLES[typeOf(given)]}`
    return placed(typeConflict(named.name, type, found, ADVICE[type]), this.#key.fieldStart)
  }

  #named(bytes: Buffer): Named | LineRefusal {
    const key = this.#key
    // Escapes at most halve the length, so these bytes can't make a name that is short enough.
    const rawBytes = Math.max(key.seriesEnd - key.seriesStart, key.fieldEnd - key.fieldStart)
    if (rawBytes > MAX_NAME_BYTES * 2) return placed(nameTooLong(), key.seriesStart)
    const texts = readSeries(bytes, this.#series)
    if (texts instanceof LineRefusal) return texts
    const field = readName(bytes, key.fieldStart, key.fieldEnd)
    if (field === undefined) return notText('the key of the field', key.fieldStart)
    const name = tagNameOf(texts.measurement, texts.labels, field)
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) return placed(nameTooLong(), key.seriesStart)
    return { name, labels: texts.labels }
  }
}

function placed(refusal: Refusal, start: number): LineRefusal {
  return new LineRefusal(refusal.code, refusal.message, start)
}

function hashed(hash: number, bytes: Buffer, start: number, end: number): number {
  let result = hash
  for (let at = start; at < end; at++) result = hashByte(result, bytes[at] as number)
  return result
}
