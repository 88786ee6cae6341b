import { givesPointValue } from '../functions.ts'
import type { Query } from '../plan.ts'
import type { TagRows } from '../rows.ts'
import { MAX_NUMBER_BYTES, writeNumber } from './numbers.ts'
import { copyBytes, TextBuffer } from './text-buffer.ts'
import { MAX_TIME_BYTES, writeTime } from './times.ts'
import { type AnswerWriter, columnNames, QUALITY_NAMES, showsCount } from './writer.ts'

const encoder = new TextEncoder()
const QUALITY = QUALITY_NAMES.map((quality) => encoder.encode(`,${quality}`))
const TRUE = encoder.encode('true')
const FALSE = encoder.encode('false')
const COMMA = 44

/**
 * RFC 4180: a line for each point; a missing value is empty, an empty text is `""`. The columns do not depend on the
 * points, because the heading is sent before they are known.
 */
export class CsvWriter implements AnswerWriter {
  readonly #out = new TextBuffer()
  readonly #areOwn: readonly boolean[]
  readonly #hasBuckets: boolean
  readonly #showsCount: boolean
  readonly #rowBytes: number

  constructor(query: Query) {
    const names = columnNames(query)
    this.#hasBuckets = query.bucket !== undefined
    this.#showsCount = showsCount(query)
    this.#areOwn = names.map((_, place) => !this.#hasBuckets || givesPointValue(query.functions[place]))
    this.#rowBytes = MAX_TIME_BYTES + (names.length + 3) * MAX_NUMBER_BYTES
    const rest = this.#hasBuckets ? [...(this.#showsCount ? ['count'] : []), 'percentGood'] : ['quality']
    this.#out.text(`${['tag', 'time', ...names, ...rest].join(',')}\r\n`)
  }

  *rows(rows: TagRows): Iterable<Uint8Array> {
    const tag = encoder.encode(`${quoted(rows.tag)},`)
    for (let row = 0; row < rows.length; ) {
      row = this.#writeRows(rows, row, tag)
      if (this.#out.isFull) yield this.#out.take()
    }
  }

  *end(): Iterable<Uint8Array> {
    yield this.#out.take()
  }

  #writeRows(rows: TagRows, from: number, tag: Uint8Array): number {
    const out = this.#out
    let row = from
    for (; row < rows.length && !out.isFull; row++) {
      out.reserve(this.#rowBytes + tag.length)
      const at = copyBytes(out.bytes, out.length, tag)
      out.length = writeTime(
        out.bytes,
        at,
        rows.ms[row] as number,
        rows.subMsNs === undefined ? 0 : (rows.subMsNs[row] as number)
      )
      for (let place = 0; place < this.#areOwn.length; place++) this.#writeColumn(rows, place, row)
      this.#writeRest(rows, row)
      out.bytes[out.length++] = 13
      out.bytes[out.length++] = 10
    }
    return row
  }

  #writeColumn(rows: TagRows, place: number, row: number): void {
    const out = this.#out
    out.bytes[out.length++] = COMMA
    const exact = rows.exact[place]?.[row]
    const value = rows.columns[place]?.[row] as number
    if (exact !== undefined) {
      out.text(typeof exact === 'string' ? quoted(exact) : String(exact))
      out.reserve(this.#rowBytes)
    } else if (rows.type === 'boolean' && this.#areOwn[place] && !Number.isNaN(value)) {
      out.length = copyBytes(out.bytes, out.length, value === 0 ? FALSE : TRUE)
    } else if (Number.isFinite(value)) out.length = writeNumber(out.bytes, out.length, value)
  }

  #writeRest(rows: TagRows, row: number): void {
    const { bytes } = this.#out
    let at = this.#out.length
    if (this.#hasBuckets) {
      if (this.#showsCount) {
        bytes[at++] = COMMA
        at = writeNumber(bytes, at, rows.counts?.[row] ?? 0)
      }
      bytes[at++] = COMMA
      const isEmpty = rows.counts?.[row] === 0
      if (!isEmpty) at = writeNumber(bytes, at, rows.percentGood?.[row] ?? 100)
    } else at = copyBytes(bytes, at, QUALITY[rows.quality?.[row] ?? 0] as Uint8Array)
    this.#out.length = at
  }
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
