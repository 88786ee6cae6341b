import type { Precision } from '../index.ts'
import { NEWLINE } from './bytes.ts'
import { CarefulLine } from './careful-line.ts'
import { FastLines } from './fast-lines.ts'
import { Instant } from './instant.ts'
import { LineTags } from './line-tags.ts'
import { PlainValue } from './plain-value.ts'
import type { PointBatch, TagRegistry } from './points.ts'
import { type Reading, SLICE_BYTES } from './reading.ts'
import { SeriesCache } from './series-cache.ts'

/**
 * Reads bodies of line protocol for one source: usual lines fast and in runs, the others one by one with the careful
 * reader.
 */
export class LineProtocol {
  readonly #cache = new SeriesCache()
  readonly #time = new Instant()
  readonly #now = new Instant()
  readonly #fast: FastLines
  readonly #careful: CarefulLine

  constructor(registry: TagRegistry) {
    const plain = new PlainValue()
    this.#fast = new FastLines(this.#cache, plain, this.#time)
    this.#careful = new CarefulLine(new LineTags(registry, this.#cache), plain, this.#time)
  }

  /** Reads some of the lines. False when none is left. */
  next(reading: Reading, precision: Precision, nowMs: number, out: PointBatch): boolean {
    const { tally } = reading
    const bytes = reading.body as Buffer
    const end = sliceEnd(bytes, reading.at)
    const slice = end === bytes.length ? bytes : bytes.subarray(0, end)
    this.#time.use(precision)
    this.#now.setMs(nowMs)
    let { at, line } = reading
    while (at < end) {
      at = this.#fast.run(slice, at, this.#now, out)
      tally.accepted += this.#fast.taken
      line += this.#fast.taken
      if (at === end) break
      // A text may hold newlines, so the line may end after the slice.
      const read = this.#careful.read(bytes, at, this.#now, out)
      if (typeof read === 'number') tally.accepted += read > 0 ? 1 : 0
      else tally.refuse(line, read.code, tally.keeps ? read.message(bytes, at) : '')
      const { next } = this.#careful
      line += newlines(bytes, at, next)
      at = next
    }
    reading.at = at
    reading.line = line
    return at < bytes.length
  }

  forget(): void {
    this.#cache.clear()
  }
}

/** The position after the newline that ends a slice; a slice has at least one line. */
function sliceEnd(bytes: Buffer, start: number): number {
  const limit = start + SLICE_BYTES
  if (limit >= bytes.length) return bytes.length
  const newline = bytes.lastIndexOf(NEWLINE, limit)
  return (newline < start ? bytes.indexOf(NEWLINE, limit) : newline) + 1
}

/** Counts the lines between two starts of lines; a text may hold newlines. */
function newlines(bytes: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; count++) at = bytes.indexOf(NEWLINE, at) + 1
  return count
}
