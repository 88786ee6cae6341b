import type { LineErrorCode } from '../index.ts'
import { shown } from './text.ts'

/**
 * Why a line is refused, and the bytes at fault. The message is made only on demand: most refusals are counted and
 * never shown.
 */
export class LineRefusal {
  readonly code: LineErrorCode
  readonly reason: string
  readonly start: number
  /** Reading goes on after the first newline from this position. */
  readonly end: number
  readonly #isShown: boolean

  /** `shows`: the message includes the bytes. */
  constructor(code: LineErrorCode, reason: string, start: number, end = start, shows: 'shows' | '' = '') {
    this.code = code
    this.reason = reason
    this.start = start
    this.end = end
    this.#isShown = shows === 'shows'
  }

  message(bytes: Buffer, lineStart: number): string {
    // A character has at most four bytes, and at most 60 characters are shown.
    const excerpt = bytes.toString('utf8', this.start, Math.min(this.end, this.start + 256))
    const column = characters(bytes, lineStart, this.start) + 1
    return `${this.reason}${this.#isShown ? `: ${shown(excerpt.trimEnd())}` : ''} (column ${column})`
  }
}

/** Counts characters: continuation bytes do not count. */
function characters(bytes: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) if (((bytes[at] as number) & 0xc0) !== 0x80) count++
  return count
}
