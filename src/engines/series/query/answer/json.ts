import { givesPointValue } from '../functions.ts'
import type { Query } from '../plan.ts'
import type { TagRows } from '../rows.ts'
import { MAX_NUMBER_BYTES, writeNumber } from './numbers.ts'
import { copyBytes, TextBuffer } from './text-buffer.ts'
import { isoTime, MAX_TIME_BYTES, writeTime } from './times.ts'
import { type AnswerFacts, type AnswerWriter, columnNames, QUALITY_NAMES, showsCount } from './writer.ts'

const encoder = new TextEncoder()
const FIRST_ROW = encoder.encode('{"time":"')
const NEXT_ROW = encoder.encode(',{"time":"')
const COUNT = encoder.encode(',"count":')
const PERCENT_GOOD = encoder.encode(',"percentGood":')
const NULL = encoder.encode('null')
const TRUE = encoder.encode('true')
const FALSE = encoder.encode('false')
const QUALITY = QUALITY_NAMES.map((quality) => encoder.encode(`,"quality":"${quality}"`))
const CLOSE = 125
const LONGEST_KEY_BYTES = 24

/** Writes points directly as bytes: with objects and texts an answer would take many times as long. */
export class JsonWriter implements AnswerWriter {
  readonly #out = new TextBuffer()
  readonly #query: Query
  /** The bytes before each column's value. */
  readonly #keys: readonly Uint8Array[]
  readonly #areOwn: readonly boolean[]
  readonly #showsCount: boolean
  readonly #rowBytes: number
  #isFirst = true

  constructor(query: Query) {
    const { sourceId, aggregation, fromNs, toNs } = query
    const head = JSON.stringify({ sourceId, startTime: isoTime(fromNs), endTime: isoTime(toNs), aggregation })
    this.#query = query
    this.#out.text(`${head.slice(0, -1)},"series":[`)
    this.#keys = columnNames(query).map((name, place) => encoder.encode(`${place === 0 ? '"' : ''},"${name}":`))
    this.#areOwn = this.#keys.map((_, place) => query.bucket === undefined || givesPointValue(query.functions[place]))
    this.#showsCount = showsCount(query)
    this.#rowBytes = MAX_TIME_BYTES + (this.#keys.length + 3) * (MAX_NUMBER_BYTES + LONGEST_KEY_BYTES)
  }

  *rows(rows: TagRows): Iterable<Uint8Array> {
    const { units } = this.#query
    const unit = Object.hasOwn(units, rows.tag) ? units[rows.tag] : null
    this.#out.text(
      `${this.#isFirst ? '' : ','}{"tag":${JSON.stringify(rows.tag)},"unit":${JSON.stringify(unit)},"points":[`
    )
    this.#isFirst = false
    for (let row = 0; row < rows.length; ) {
      row = this.#writeRows(rows, row)
      if (this.#out.isFull) yield this.#out.take()
    }
    this.#out.text(']}')
  }

  *end(facts: AnswerFacts): Iterable<Uint8Array> {
    const { unknownTags, ...stats } = facts
    this.#out.text(`],"unknownTags":${JSON.stringify(unknownTags)},"stats":${JSON.stringify(stats)}}`)
    yield this.#out.take()
  }

  /** Writes rows until there are no more or the piece is full; returns the row to go on with. */
  #writeRows(rows: TagRows, from: number): number {
    const out = this.#out
    let row = from
    for (; row < rows.length && !out.isFull; row++) {
      out.reserve(this.#rowBytes)
      const at = copyBytes(out.bytes, out.length, row === 0 ? FIRST_ROW : NEXT_ROW)
      out.length = writeTime(
        out.bytes,
        at,
        rows.ms[row] as number,
        rows.subMsNs === undefined ? 0 : (rows.subMsNs[row] as number)
      )
      for (let place = 0; place < this.#keys.length; place++) this.#writeColumn(rows, place, row)
      this.#writeRest(rows, row)
      out.bytes[out.length++] = CLOSE
    }
    return row
  }

  #writeColumn(rows: TagRows, place: number, row: number): void {
    const out = this.#out
    const at = copyBytes(out.bytes, out.length, this.#keys[place] as Uint8Array)
    const exact = rows.exact[place]?.[row]
    const value = rows.columns[place]?.[row] as number
    if (exact !== undefined) {
      out.length = at
      out.text(typeof exact === 'string' ? JSON.stringify(exact) : String(exact))
      out.reserve(this.#rowBytes)
    } else if (!Number.isFinite(value)) out.length = copyBytes(out.bytes, at, NULL)
    else if (rows.type === 'boolean' && this.#areOwn[place])
      out.length = copyBytes(out.bytes, at, value === 0 ? FALSE : TRUE)
    else out.length = writeNumber(out.bytes, at, value)
  }

  #writeRest(rows: TagRows, row: number): void {
    const { bytes } = this.#out
    let at = this.#out.length
    if (this.#showsCount) at = writeNumber(bytes, copyBytes(bytes, at, COUNT), rows.counts?.[row] ?? 0)
    const percentGood = rows.percentGood?.[row] ?? Number.NaN
    if (!Number.isNaN(percentGood)) at = writeNumber(bytes, copyBytes(bytes, at, PERCENT_GOOD), percentGood)
    const quality = rows.quality?.[row] ?? 0
    if (quality !== 0) at = copyBytes(bytes, at, QUALITY[quality] as Uint8Array)
    this.#out.length = at
  }
}
