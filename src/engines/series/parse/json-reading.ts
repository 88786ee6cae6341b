import { NEWLINE } from './bytes.ts'
import { jsonFaultAt } from './json-fault.ts'
import { invalid } from './json-points.ts'
import { parseJson } from './json-text.ts'
import type { Refusal } from './tally.ts'

/** Leaves out a byte order mark before JSON. */
const wholeText = new TextDecoder('utf-8', { fatal: true })
const partOfText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Line and column, counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

const START: Place = { line: 1, column: 1 }

/**
 * Parses bytes as JSON. Where they are a part of a body, they are put between `around` and begin at `start` of the
 * body.
 */
export function readJson(
  bytes: Uint8Array,
  around?: readonly [string, string],
  start: () => Place = () => START
): { readonly value: unknown } | { readonly refusal: Refusal } {
  let text: string
  try {
    text = (around === undefined ? wholeText : partOfText).decode(bytes)
  } catch {
    return { refusal: { code: 'invalid_text', message: 'JSON must be UTF-8, and this is not' } }
  }
  const [before, after] = around ?? ['', '']
  const whole = before + text + after
  try {
    return { value: parseJson(whole) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) return { refusal: invalid('the JSON is nested too deeply') }
    return { refusal: invalid(notJson(placeIn(whole.slice(before.length, jsonFaultAt(whole)), start()))) }
  }
}

export function notJson({ line, column }: Place): string {
  return `this is not JSON from ${line === 1 ? '' : `line ${line}, `}column ${column} on`
}

/** The place of the end of a text that begins at `start`. */
function placeIn(text: string, start: Place): Place {
  const newline = text.lastIndexOf('\n')
  if (newline < 0) return { line: start.line, column: start.column + text.length }
  return { line: start.line + text.split('\n').length - 1, column: text.length - newline }
}

/** The place of a byte of the body. */
export function placeOf(body: Uint8Array, at: number): Place {
  let line = 1
  let lineStart = 0
  for (let newline = body.indexOf(NEWLINE); newline >= 0 && newline < at; newline = body.indexOf(NEWLINE, lineStart)) {
    line++
    lineStart = newline + 1
  }
  return { line, column: units(body, lineStart, at) + 1 }
}

/** The length in UTF-16 units: continuation bytes do not count, and a character of four bytes counts as two. */
function units(body: Uint8Array, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) {
    const byte = body[at] as number
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1
  }
  return count
}
