import type { LineErrorCode } from '../index.ts'
import { shown } from './text.ts'

/** Why a line is refused, and the bytes that are to blame. Made of what is at hand: most are counted and never shown. */
export class LineRefusal {
  readonly code: LineErrorCode
  readonly reason: string
  readonly start: number
  /** Reading goes on after the first newline from here. */
  readonly end: number
  readonly #isShown: boolean

  /** `shows`: the bytes themselves are part of the message. */
  constructor(code: LineErrorCode, reason: string, start: number, end = start, shows: 'shows' | '' = '') {
    this.code = code
    this.reason = reason
    this.start = start
    this.end = end
    this.#isShown = shows === 'shows'
  }

  message(bytes: Buffer, lineStart: number): string {
    // No character has more than four bytes, and no more than 60 are shown.
    const excerpt = bytes.toString('utf8', this.start, Math.min(this.end, this.start + 256))
    const column = characters(bytes, lineStart, this.start) + 1
    return `${this.reason}${this.#isShown ? `: ${shown(excerpt.trimEnd())}` : ''} (column ${column})`
  }
}

/** Bytes that go on with a character do not count. */
function characters(bytes: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) if (((bytes[at] as number) & 0xc0) !== 0x80) count++
  return count
}
