import type { Precision, Written } from '../index.ts'
import { NEWLINE, newlineEnded } from './bytes.ts'
import { CarefulLine } from './careful-line.ts'
import { FastLines } from './fast-lines.ts'
import { Instant } from './instant.ts'
import { LineTags } from './line-tags.ts'
import { PlainValue } from './plain-value.ts'
import type { PointBatch, TagRegistry } from './points.ts'
import { SeriesCache } from './series-cache.ts'
import { Tally } from './tally.ts'

/** Bodies of line protocol of one source: the usual lines in runs, each of the others with care. */
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

  parse(body: Uint8Array, precision: Precision, nowMs: number, out: PointBatch, tally = new Tally()): Written {
    const bytes = newlineEnded(body)
    this.#time.use(precision)
    this.#now.setMs(nowMs)
    let line = 1
    let at = 0
    while (at < bytes.length) {
      at = this.#fast.run(bytes, at, this.#now, out)
      tally.accepted += this.#fast.taken
      line += this.#fast.taken
      if (at === bytes.length) break
      const read = this.#careful.read(bytes, at, this.#now, out)
      if (typeof read === 'number') tally.accepted += read > 0 ? 1 : 0
      else tally.refuse(line, read.code, tally.keeps ? read.message(bytes, at) : '')
      const { next } = this.#careful
      line += newlines(bytes, at, next)
      at = next
    }
    return tally.written()
  }

  forget(): void {
    this.#cache.clear()
  }
}

/** From the start of a line to that of another; a text may hold some. */
function newlines(bytes: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; count++) at = bytes.indexOf(NEWLINE, at) + 1
  return count
}
