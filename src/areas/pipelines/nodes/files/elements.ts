import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { MAX_RECORD_BYTES, MAX_TEXT_BYTES, TOO_LONG } from './clean.ts'
import { Notes } from './notes.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const LINE_FEED = 10
const isSpace = (byte: number): boolean => byte === 32 || byte === LINE_FEED || byte === 13 || byte === 9

export interface Elements {
  readonly path: string
  readonly shifts: Notes
  readonly refused: Notes
}

/**
 * Writes the elements of a JSON array, or JSON values that stand one after the other, as lines, however large all of them are
 * together. What is wrong with one of them is seen by who reads the line.
 */
export async function splitElements(from: string, signal: AbortSignal): Promise<Elements> {
  const path = `${from}.lines`
  const out = await open(path, 'w')
  const shifts = await Notes.open(`${from}.shifts`)
  const refused = await Notes.open(`${from}.refused`)
  try {
    const splitter = new Splitter(out, shifts, refused)
    for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20, signal }))
      await splitter.add(chunk as Buffer)
    await splitter.end()
    return { path, shifts, refused }
  } finally {
    await Promise.all([out.close(), shifts.close(), refused.close()])
  }
}

class Splitter {
  readonly #out: FileHandle
  readonly #shifts: Notes
  readonly #refused: Notes
  /** Of elements that ended in this chunk, what was before it; then the rest of them. */
  #pieces: Buffer[] = []
  #done = Buffer.alloc(1)
  #doneBytes = 0
  /** Of the element under way, which began in an earlier chunk. */
  #held: Buffer[] = []
  #heldBytes = 0
  #isInside = false
  #isScalar = false
  #isInText = false
  #isEscaped = false
  #depth = 0
  /** After a text that no quote ends on its line: until a line begins like the one before it that began an element. */
  #isLost = false
  #column = 0
  #isAtStart = true
  #elementColumn = 0
  #isInArray = false
  #element = 1
  #written = 1

  constructor(out: FileHandle, shifts: Notes, refused: Notes) {
    this.#out = out
    this.#shifts = shifts
    this.#refused = refused
  }

  async add(chunk: Buffer): Promise<void> {
    let from = 0
    // Each element was followed by a byte that is not written.
    this.#done = Buffer.allocUnsafe(chunk.length + 1)
    for (let at = 0; at < chunk.length; at++) {
      if (!this.#isInside) {
        if (this.#begins(chunk[at] as number)) from = at
        continue
      }
      at = this.#isInText ? this.#textEnd(chunk, at) : nextSign(chunk, at)
      if (at === chunk.length) break
      const byte = chunk[at] as number
      if (!this.#ends(byte, chunk, at)) continue
      const isWithin = !this.#isScalar && !this.#isLost
      this.#give(chunk, from, isWithin ? at + 1 : at)
      if (this.#isScalar && CLOSING.has(byte)) this.#isInArray = false
    }
    if (this.#isInside) this.#hold(chunk.subarray(from))
    await this.#flush()
  }

  /** Where the text ends, or the line on which it should have; the end of the chunk where it goes on. */
  #textEnd(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === QUOTE || byte === LINE_FEED) break
      if (byte === BACKSLASH) at += 1
    }
    this.#isEscaped = at > chunk.length
    return Math.min(at, chunk.length)
  }

  async end(): Promise<void> {
    if (this.#isInside) this.#give(NEW_LINE, 0, 0)
    await this.#flush()
  }

  /** Between elements: whether one begins with this byte. */
  #begins(byte: number): boolean {
    const column = this.#column
    const isAtStart = this.#isAtStart
    this.#column = byte === LINE_FEED ? 0 : column + 1
    this.#isAtStart = byte === LINE_FEED || (isAtStart && isSpace(byte))
    if (isSpace(byte)) return false
    if (this.#isLost) {
      if (!isAtStart || byte !== 0x7b || column !== this.#elementColumn) return false
      this.#isLost = false
    }
    if (byte === COMMA) return false
    if (byte === 0x5b && !this.#isInArray) {
      this.#isInArray = true
      return false
    }
    if (CLOSING.has(byte)) {
      this.#isInArray = false
      return false
    }
    if (isAtStart) this.#elementColumn = column
    this.#isInside = true
    this.#isScalar = !OPENING.has(byte)
    this.#isInText = byte === QUOTE
    this.#depth = this.#isScalar ? 0 : 1
    return true
  }

  /** Inside an element: whether it ends with this byte. Line breaks become spaces. */
  #ends(byte: number, chunk: Buffer, at: number): boolean {
    if (this.#isInText) {
      this.#isInText = false
      if (byte === QUOTE) return false
      this.#isLost = true
      this.#column = 0
      this.#isAtStart = true
      return true
    }
    if (byte === QUOTE) this.#isInText = true
    else if (byte === LINE_FEED || byte === 13) {
      if (this.#isScalar) return true
      chunk[at] = 32
    } else if (this.#isScalar) return byte === COMMA || CLOSING.has(byte) || isSpace(byte)
    else if (OPENING.has(byte)) this.#depth += 1
    else if (CLOSING.has(byte)) {
      this.#depth -= 1
      return this.#depth === 0
    }
    return false
  }

  #give(chunk: Buffer, from: number, to: number): void {
    if (this.#heldBytes + to - from > MAX_RECORD_BYTES) this.#refuse(chunk.subarray(from, to))
    else {
      if (this.#heldBytes > 0) this.#pieces.push(...this.#held)
      chunk.copy(this.#done, this.#doneBytes, from, to)
      this.#doneBytes += to - from
      this.#done[this.#doneBytes] = LINE_FEED
      this.#doneBytes += 1
      this.#written += 1
    }
    this.#element += 1
    this.#held = []
    this.#heldBytes = 0
    this.#isInside = false
    this.#isInText = false
    this.#isEscaped = false
  }

  #refuse(last: Buffer): void {
    const begin = Buffer.concat([...this.#held, last]).subarray(0, MAX_TEXT_BYTES)
    const reason = `Record ${this.#element} ${TOO_LONG}`
    this.#refused.add({ line: this.#element, code: 'too_long', reason, text: begin.toString() })
    this.#shifts.add({ record: this.#written, shift: this.#element + 1 - this.#written })
  }

  /** What is too long anyway is not kept but for its beginning. */
  #hold(piece: Buffer): void {
    this.#heldBytes += piece.length
    if (this.#heldBytes <= MAX_RECORD_BYTES) this.#held.push(Buffer.from(piece))
    else this.#held = [Buffer.concat([...this.#held.slice(0, 1), piece]).subarray(0, MAX_TEXT_BYTES)]
  }

  async #flush(): Promise<void> {
    for (const piece of [...this.#pieces, this.#done.subarray(0, this.#doneBytes)]) await this.#out.appendFile(piece)
    this.#pieces = []
    this.#doneBytes = 0
    await this.#shifts.flush()
    await this.#refused.flush()
  }
}

/** Bytes inside an element, but outside of texts, that may mean something. */
const SIGNS = new Uint8Array(256)
for (const byte of [QUOTE, COMMA, ...OPENING, ...CLOSING, LINE_FEED, 13, 32, 9]) SIGNS[byte] = 1

function nextSign(chunk: Buffer, from: number): number {
  let at = from
  while (at < chunk.length && SIGNS[chunk[at] as number] === 0) at += 1
  return at
}

const NEW_LINE = Buffer.from('\n')
