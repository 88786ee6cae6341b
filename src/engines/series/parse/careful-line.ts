import { COMMA, EQUALS, endsLine, HASH, NEWLINE, skipBlanks } from './bytes.ts'
import { nextSpecial } from './escapes.ts'
import { FieldValue } from './field-value.ts'
import { type Instant, TIME_OUT_OF_RANGE, TIME_READ } from './instant.ts'
import { LineRefusal } from './line-refusal.ts'
import type { LineTags } from './line-tags.ts'
import type { PlainValue } from './plain-value.ts'
import { HAS_EXACT, type PointBatch } from './points.ts'
import { MAX_POINT_BYTES } from './reading.ts'
import { type SeriesSpans, scanSeries } from './series-key.ts'
import type { TypeCode } from './type-codes.ts'

/** A field of the line that is being read. */
interface Field {
  readonly keyStart: number
  readonly keyEnd: number
  readonly type: TypeCode
  readonly value: number
  readonly exact: string | bigint | undefined
  tag: number
}

/**
 * Reads any line of line protocol that InfluxDB accepts. Where its versions and its documentation differ, we accept
 * what any of them does: blanks may be repeated and may be tabs, lines may end with CRLF, texts may hold newlines,
 * and keys may be called `time` or begin with an underscore, which mean nothing special here.
 */
export class CarefulLine {
  /** The start of the line after the one read last. */
  next = 0
  readonly #tags: LineTags
  readonly #value: FieldValue
  readonly #time: Instant
  readonly #series: SeriesSpans = { start: 0, measurementEnd: 0, end: 0, labels: [] }
  #fields: Field[] = []

  constructor(tags: LineTags, plain: PlainValue, time: Instant) {
    this.#tags = tags
    this.#value = new FieldValue(plain)
    this.#time = time
  }

  /** Answers how many points the line had: zero where it is blank or a comment. */
  read(bytes: Buffer, lineStart: number, now: Instant, out: PointBatch): number | LineRefusal {
    const start = skipBlanks(bytes, lineStart)
    if (bytes[start] === HASH || endsLine(bytes, start)) {
      this.next = lineAfter(bytes, start)
      return 0
    }
    this.#fields = []
    const time = this.#parts(bytes, start, now)
    if (time instanceof LineRefusal) {
      this.next = lineAfter(bytes, time.end)
      return time
    }
    this.#tags.use(bytes, this.#series)
    for (const field of this.#fields) {
      const tag = this.#tags.find(bytes, field.keyStart, field.keyEnd, field.type)
      if (tag instanceof LineRefusal) return tag
      field.tag = tag
    }
    this.#put(time, out)
    return this.#fields.length
  }

  #parts(bytes: Buffer, start: number, now: Instant): Instant | LineRefusal {
    const refusal = scanSeries(bytes, start, this.#series)
    if (refusal !== undefined) return refusal
    const fieldsEnd = this.#readFields(bytes, skipBlanks(bytes, this.#series.end))
    if (fieldsEnd instanceof LineRefusal) return fieldsEnd
    const timeStart = skipBlanks(bytes, fieldsEnd)
    if (endsLine(bytes, timeStart)) {
      this.next = lineAfter(bytes, timeStart)
      return now
    }
    return this.#readTime(bytes, timeStart)
  }

  #readFields(bytes: Buffer, start: number): number | LineRefusal {
    let at = start
    for (;;) {
      const keyEnd = nextSpecial(bytes, at)
      if (bytes[keyEnd] !== EQUALS) return noValue(bytes, at, keyEnd, at === start)
      if (keyEnd === at) return new LineRefusal('invalid_name', 'the field has no key before its equals sign', at)
      const refusal = this.#value.read(bytes, keyEnd + 1)
      if (refusal !== undefined) return refusal
      const { type, value, exact, end } = this.#value
      this.#fields.push({ keyStart: at, keyEnd, type, value, exact, tag: 0 })
      if (bytes[end] !== COMMA) return end
      at = end + 1
      if (at - start > MAX_POINT_BYTES) return tooLong(at)
    }
  }

  #readTime(bytes: Buffer, start: number): Instant | LineRefusal {
    const time = this.#time
    const status = time.read(bytes, start)
    const lineEnd = skipBlanks(bytes, time.end)
    if (!endsLine(bytes, lineEnd)) {
      const end = bytes.indexOf(NEWLINE, start)
      return new LineRefusal('invalid_time', 'the time must be one whole number and end the line', start, end, 'shows')
    }
    if (status === TIME_OUT_OF_RANGE) {
      const reason = 'the time is not between the years 1677 and 2262, so check the precision'
      return new LineRefusal('time_out_of_range', reason, start, time.end, 'shows')
    }
    if (status !== TIME_READ) return new LineRefusal('invalid_time', 'the time has no digits', start, lineEnd)
    this.next = lineAfter(bytes, lineEnd)
    return time
  }

  #put(time: Instant, out: PointBatch): void {
    out.reserve(this.#fields.length)
    for (const { tag, value, exact } of this.#fields) {
      const row = out.length++
      out.tags[row] = tag
      out.days[row] = time.day
      out.ns[row] = time.ns
      out.values[row] = value
      out.flags[row] = exact === undefined ? 0 : HAS_EXACT
      if (exact !== undefined) out.exact.set(row, exact)
    }
  }
}

function tooLong(at: number): LineRefusal {
  return new LineRefusal('invalid_line', `a line may have ${MAX_POINT_BYTES} bytes: divide its fields`, at)
}

function noValue(bytes: Buffer, start: number, end: number, isFirst: boolean): LineRefusal {
  if (end > start && !endsLine(bytes, start)) {
    return new LineRefusal('invalid_field', 'the field has no equals sign and value', start, end, 'shows')
  }
  if (!isFirst) return new LineRefusal('invalid_field', 'after the comma another field must follow', start)
  return new LineRefusal('invalid_line', 'at least one field must follow', start)
}

function lineAfter(bytes: Buffer, at: number): number {
  const newline = bytes.indexOf(NEWLINE, at)
  return newline < 0 ? bytes.length : newline + 1
}
