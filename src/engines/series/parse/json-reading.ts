import { NEWLINE } from './bytes.ts'
import { jsonFaultAt } from './json-fault.ts'
import { invalid } from './json-points.ts'
import { parseJson } from './json-text.ts'
import type { Refusal } from './tally.ts'

/** A byte order mark before JSON is left out; within it, it is none. */
const wholeText = new TextDecoder('utf-8', { fatal: true })
const partOfText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Lines and columns from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

const START: Place = { line: 1, column: 1 }

/** Reads bytes as JSON, between `around` where they are a part of a body, which begins at `start` of it. */
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

/** Where a text ends that begins at `start`. */
function placeIn(text: string, start: Place): Place {
  const newline = text.lastIndexOf('\n')
  if (newline < 0) return { line: start.line, column: start.column + text.length }
  return { line: start.line + text.split('\n').length - 1, column: text.length - newline }
}

/** Of a byte of the body. */
export function placeOf(body: Uint8Array, at: number): Place {
  let line = 1
  let lineStart = 0
  for (let newline = body.indexOf(NEWLINE); newline >= 0 && newline < at; newline = body.indexOf(NEWLINE, lineStart)) {
    line++
    lineStart = newline + 1
  }
  return { line, column: units(body, lineStart, at) + 1 }
}

/** As texts count: bytes that go on with a character do not, and one of four bytes is two. */
function units(body: Uint8Array, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) {
    const byte = body[at] as number
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1
  }
  return count
}
