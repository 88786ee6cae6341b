import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { JsonSigns } from './json-signs.ts'

const CHUNK_BYTES = 1 << 20
const WINDOW_BYTES = 1 << 16
/** Bytes of each chunk that are looked at to learn how many lines it has. */
const SAMPLE_BYTES = 1 << 14
const GROUP_CHUNKS = 32
/** Bytes of the longest character there is. */
const FRONT_BYTES = 4
const LINE_FEED = 10
const RETURN = 13
const UNDERSCORE = 95

/** What is known of the lines of a text after a quick look. */
export interface Survey {
  readonly sizeBytes: number
  readonly isUtf8: boolean
  /** Whether all of them end alike, none is empty, and none has a quote: records can be read as they stand. */
  readonly isPlain: boolean
  /** No line is longer than this, with its line break. */
  readonly longestBytes: number
  /** How many there are, about, in those 32 MiB that have fewest; Infinity where there is less than that. */
  readonly rowsInGroup: number
  /** Whether there is one anywhere after the first line. */
  readonly hasUnderscore: boolean
  /** Whether it may hold what DuckDB takes for JSON, and nobody else does. */
  readonly isSuspect: boolean
}

export interface SurveyRules {
  readonly quote: string
  /** Then lines of nothing but spaces count as empty. */
  readonly isJson: boolean
}

/** Reads a file once, mostly by searches that run at the speed of memory. */
export async function survey(path: string, rules: SurveyRules, signal: AbortSignal): Promise<Survey> {
  const file = await open(path)
  const lines = new LinesSeen(rules)
  // The last bytes of the chunk before stand in front, so that nothing is overlooked between chunks.
  const buffer = Buffer.alloc(FRONT_BYTES + CHUNK_BYTES)
  try {
    for (let front = 0; ; front = FRONT_BYTES) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(buffer, FRONT_BYTES, CHUNK_BYTES, null)
      if (bytesRead === 0) return lines.survey
      lines.add(buffer.subarray(FRONT_BYTES - front, FRONT_BYTES + bytesRead), front)
      buffer.copyWithin(0, bytesRead, FRONT_BYTES + bytesRead)
    }
  } finally {
    await file.close()
  }
}

class LinesSeen {
  readonly #signs: readonly string[]
  readonly #jsonSigns: JsonSigns | undefined
  #sizeBytes = 0
  #isUtf8 = true
  #openCharacter = 0
  #hasSigns = false
  #hasUnderscore = false
  readonly #ends = { bare: false, afterReturn: false, alone: false }
  #openBytes = 0
  #longestBytes = WINDOW_BYTES
  #groupRows = 0
  #rowsInGroup = Number.POSITIVE_INFINITY

  constructor({ quote, isJson }: SurveyRules) {
    this.#jsonSigns = isJson ? new JsonSigns() : undefined
    if (isJson) this.#signs = ['\n\n', '\n ', '\n\t']
    else this.#signs = quote === '' ? ['\n\n'] : [quote, '\n\n']
  }

  get survey(): Survey {
    const { bare, afterReturn, alone } = this.#ends
    return {
      sizeBytes: this.#sizeBytes,
      isUtf8: this.#isUtf8 && this.#openCharacter === 0,
      isPlain: !this.#hasSigns && !alone && !(bare && afterReturn),
      longestBytes: Math.min(this.#sizeBytes, Math.max(this.#longestBytes, this.#openBytes)),
      rowsInGroup: this.#rowsInGroup,
      hasUnderscore: this.#hasUnderscore,
      isSuspect: this.#jsonSigns?.isSuspect === true
    }
  }

  /** `front` bytes of it were in the chunk before. */
  add(bytes: Buffer, front: number): void {
    const isFirst = this.#sizeBytes === 0
    const chunk = bytes.subarray(front)
    const withBefore = bytes.subarray(Math.max(0, front - 2))
    this.#sizeBytes += chunk.length
    this.#jsonSigns?.add(chunk)
    this.#hasUnderscore ||= chunk.includes(UNDERSCORE, isFirst ? chunk.indexOf(LINE_FEED) + 1 : 0)
    this.#seeCharacters(bytes.subarray(front - this.#openCharacter))
    this.#hasSigns ||=
      (isFirst && BLANKS.has(chunk[0] as number)) || this.#signs.some((sign) => withBefore.includes(sign))
    if (!this.#hasSigns) this.#seeEnds(withBefore)
    for (let at = 0; at < chunk.length; at += WINDOW_BYTES) this.#seeLength(chunk.subarray(at, at + WINDOW_BYTES))
    this.#groupRows += linesIn(chunk)
    if (this.#sizeBytes % (GROUP_CHUNKS * CHUNK_BYTES) === 0) {
      this.#rowsInGroup = Math.min(this.#rowsInGroup, Math.max(1, this.#groupRows))
      this.#groupRows = 0
    }
  }

  /** The last character may go on in the next chunk. */
  #seeCharacters(bytes: Buffer): void {
    const end = wholeCharacters(bytes)
    this.#isUtf8 &&= isUtf8(bytes.subarray(0, end))
    this.#openCharacter = bytes.length - end
  }

  #seeEnds(chunk: Buffer): void {
    const ends = this.#ends
    if (!chunk.includes(RETURN)) {
      ends.bare ||= chunk.includes(LINE_FEED)
      return
    }
    this.#hasSigns ||= chunk.includes('\n\r')
    for (let at = chunk.indexOf(RETURN); at !== -1 && at + 1 < chunk.length; at = chunk.indexOf(RETURN, at + 1)) {
      ends.alone ||= chunk[at + 1] !== LINE_FEED
    }
    for (let at = chunk.indexOf(LINE_FEED, 1); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      if (chunk[at - 1] === RETURN) ends.afterReturn = true
      else ends.bare = true
    }
  }

  #seeLength(window: Buffer): void {
    const first = window.indexOf(LINE_FEED)
    if (first === -1) {
      this.#openBytes += window.length
      return
    }
    this.#longestBytes = Math.max(this.#longestBytes, this.#openBytes + first)
    this.#openBytes = window.length - window.lastIndexOf(LINE_FEED)
  }
}

/** How many there are exactly, the last included where it lacks a line feed. */
export async function countLines(path: string, signal: AbortSignal): Promise<number> {
  let lines = 0
  let last = LINE_FEED
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal }) as AsyncIterable<Buffer>) {
    lines += count(chunk)
    last = chunk.at(-1) as number
  }
  return last === LINE_FEED ? lines : lines + 1
}

const BLANKS = new Set([LINE_FEED, RETURN, 32, 9])

/** How many lines end in a chunk, reckoned from its beginning where there are many. */
function linesIn(chunk: Buffer): number {
  const sample = chunk.subarray(0, SAMPLE_BYTES)
  const sampled = count(sample)
  return sampled > 8 ? Math.floor((sampled * chunk.length) / sample.length) : count(chunk)
}

function count(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1
  return lines
}

/** Where the last character begins that may not be whole. */
function wholeCharacters(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 0 && at >= bytes.length - 3; at--) {
    const byte = bytes[at] as number
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return at
  }
  return bytes.length
}
