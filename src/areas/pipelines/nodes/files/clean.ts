import { type FileHandle, open } from 'node:fs/promises'
import { Notes } from './notes.ts'
import { findRecordEnd, type RecordEnd, type RecordRules } from './record-ends.ts'
import { writeSegment } from './segments.ts'
import { Spans } from './spans.ts'
import { FileWindow } from './window.ts'

/** A record that is longer is refused: DuckDB needs about ten times that to read it. */
export const MAX_RECORD_BYTES = 16 << 20
export const TOO_LONG = `is longer than ${MAX_RECORD_BYTES >> 20} MiB`
/** How far an open quote is followed once many were never closed. */
const SHORT_SIGHT_BYTES = 1 << 16
const MAX_FAR_LOOKS = 32
export const MAX_TEXT_BYTES = 131_072
/** Where records are long they are converted so many at a time. */
const SEGMENT_BYTES = 16 << 20
const LINE_FEED = 10
const NOT_CLOSED = 'has a quote that is not closed, or ends in the middle'

export interface CleanRules extends RecordRules {
  /** Whether an empty line is a record: in a CSV of one column it is. */
  readonly keepsEmpty: boolean
}

/** A part of a text that is read by itself: where it begins, and the number of its first record, from 1. */
export interface Segment {
  readonly byte: number
  readonly record: number
}

export interface Cleaned {
  readonly path: string
  readonly sizeBytes: number
  /** All of them, a header included. */
  readonly records: number
  readonly segments: readonly Segment[]
  /** From which record on lines are counted with another difference to records: `{record, shift}`. */
  readonly shifts: Notes
  /** What was left out: `{line, code, reason, text}`. */
  readonly refused: Notes
}

/**
 * Sees to it that there are nothing but whole records in a text: without empty lines, lines with a quote that is not closed and
 * records that are too long, each of which costs only itself. Where there is nothing to leave out, the text stays where it is.
 */
export async function clean(from: string, rules: CleanRules, signal: AbortSignal): Promise<Cleaned> {
  const window = await FileWindow.open(from)
  const shifts = await Notes.open(`${from}.shifts`)
  const refused = await Notes.open(`${from}.refused`)
  const cleaner = new Cleaner(rules, window, { from, shifts, refused })
  try {
    await cleaner.run(signal)
    const { path, written, records, segments } = cleaner
    return { path, sizeBytes: written, records, segments, shifts, refused }
  } finally {
    await Promise.all([window.close(), shifts.close(), refused.close(), cleaner.close()])
  }
}

class Cleaner {
  readonly #rules: CleanRules
  readonly #window: FileWindow
  readonly #files: { readonly from: string; readonly shifts: Notes; readonly refused: Notes }
  readonly segments: Segment[] = [{ byte: 0, record: 1 }]
  /** Of another text than the one that is there, once something has to be left out. */
  #out: FileHandle | undefined
  written = 0
  #line = 1
  #record = 1
  #shift = 0
  #farLooks = 0

  constructor(rules: CleanRules, window: FileWindow, files: { from: string; shifts: Notes; refused: Notes }) {
    this.#rules = rules
    this.#window = window
    this.#files = files
  }

  get records(): number {
    return this.#record - 1
  }

  get path(): string {
    return this.#out === undefined ? this.#files.from : `${this.#files.from}.clean`
  }

  async close(): Promise<void> {
    await this.#out?.close()
  }

  async run(signal: AbortSignal): Promise<void> {
    for (let at = 0; ; ) {
      await this.#window.advance(at)
      signal.throwIfAborted()
      const before = this.written
      const spans = new Spans()
      at = this.#pass(spans)
      await this.#write(spans, before, signal)
      const left = this.#window.text.length - at
      if (left === 0 && this.#window.isAll) return
      if (left > MAX_RECORD_BYTES) at = await this.#skipLong(at, signal)
    }
  }

  /** Passes on the records that are whole in the window, and answers where the first begins that is not. */
  #pass(spans: Spans): number {
    const { text, isAll } = this.#window
    let at = 0
    while (at < text.length) {
      const end = this.#endFrom(at)
      if (end.kind === 'open') break
      if (end.kind === 'broken') {
        const lineEnd = text.indexOf(LINE_FEED, at)
        if (lineEnd === -1 && !isAll) break
        const stop = lineEnd === -1 ? text.length : lineEnd + 1
        this.#drop(text.subarray(at, stop), 'unreadable_line', NOT_CLOSED)
        at = stop
        continue
      }
      const stop = end.end - end.breakBytes
      if (stop - at > MAX_RECORD_BYTES) this.#drop(text.subarray(at, end.end), 'too_long', TOO_LONG)
      else if (this.#isEmpty(text, at, stop)) this.#line += 1
      else {
        this.#keep(text, at, stop)
        spans.add(at, stop, end.breakBytes === 0 || (end.breakBytes === 1 && text[stop] === LINE_FEED))
      }
      at = end.end
    }
    // The last record may lack the line feed.
    spans.isWhole &&= spans.bytes >= at
    return at
  }

  /** As long as nothing was left out, there is nothing to be written. */
  async #write(spans: Spans, before: number, signal: AbortSignal): Promise<void> {
    await this.#files.shifts.flush()
    await this.#files.refused.flush()
    if (this.#out === undefined && spans.isWhole) return
    if (this.#out === undefined) await this.#begin(before, signal)
    await this.#out?.appendFile(spans.of(this.#window.text))
  }

  async #begin(bytes: number, signal: AbortSignal): Promise<void> {
    const { from } = this.#files
    await writeSegment({ path: from, from: 0, to: bytes }, `${from}.clean`, signal)
    this.#out = await open(`${from}.clean`, 'a')
  }

  /** Where quotes are left open again and again, each is followed only a little way. */
  #endFrom(at: number): RecordEnd {
    const { text, isAll } = this.#window
    const isShort = this.#farLooks > MAX_FAR_LOOKS && text.length - at > SHORT_SIGHT_BYTES
    const seen = isShort ? text.subarray(0, at + SHORT_SIGHT_BYTES) : text
    const end = findRecordEnd(seen, at, isAll && !isShort, this.#rules)
    if (end.kind === 'broken' && isAll) this.#farLooks += 1
    const isCut = isShort && end.kind === 'open' && seen.indexOf(LINE_FEED, at) !== -1
    return isCut
      ? { kind: 'broken' }
      : end.kind === 'open' && isShort
        ? findRecordEnd(text, at, isAll, this.#rules)
        : end
  }

  #keep(text: Buffer, from: number, to: number): void {
    if (this.#line - this.#record !== this.#shift) {
      this.#shift = this.#line - this.#record
      this.#files.shifts.add({ record: this.#record, shift: this.#shift })
    }
    const begun = this.segments.at(-1)?.byte ?? 0
    if (this.written > begun && this.written + to - from - begun > SEGMENT_BYTES)
      this.segments.push({ byte: this.written, record: this.#record })
    this.written += to - from + 1
    this.#record += 1
    this.#line += this.#rules.quote === undefined ? 1 : 1 + breaksIn(text, from, to)
  }

  #isEmpty(text: Buffer, from: number, to: number): boolean {
    if (this.#rules.quote !== undefined) return from === to && !this.#rules.keepsEmpty
    for (let at = from; at < to; at++) if (text[at] !== 32 && text[at] !== 9 && text[at] !== 13) return false
    return true
  }

  #drop(dropped: Buffer, code: string, reason: string): void {
    const text = dropped
      .subarray(0, MAX_TEXT_BYTES)
      .toString()
      .replace(/\r?\n$/, '')
    this.#files.refused.add({ line: this.#line, code, reason: `Line ${this.#line} ${reason}`, text })
    this.#line += Math.max(1, breaksIn(dropped, 0, dropped.length))
  }

  /** Goes on after what is longer than the window may get: a line without an end, or else one with a quote that is open. */
  async #skipLong(from: number, signal: AbortSignal): Promise<number> {
    const { text } = this.#window
    if (this.#out === undefined) await this.#begin(this.written, signal)
    const lineEnd = text.indexOf(LINE_FEED, from)
    if (lineEnd !== -1) {
      this.#farLooks += 1
      this.#drop(text.subarray(from, lineEnd + 1), 'unreadable_line', NOT_CLOSED)
      return lineEnd + 1
    }
    const begin = Buffer.from(text.subarray(from, from + MAX_TEXT_BYTES))
    let end = -1
    while (end === -1 && !this.#window.isAll) {
      await this.#window.advance(this.#window.text.length)
      end = this.#window.text.indexOf(LINE_FEED)
    }
    this.#drop(begin, 'too_long', TOO_LONG)
    return end === -1 ? this.#window.text.length : end + 1
  }
}

function breaksIn(text: Buffer, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf(LINE_FEED, from); at !== -1 && at < to; at = text.indexOf(LINE_FEED, at + 1)) lines += 1
  return lines
}
