import { BACKSLASH, COMMA, QUOTE } from './bytes.ts'
import { MAX_POINT_BYTES, SLICE_BYTES } from './reading.ts'

/** The bit in which `{` differs from `[`. */
const BRACE_BIT = 0x20
const OPENING = 0x7b
const CLOSING = 0x7d

/** An array alone, or as the only member of an object, perhaps after a byte order mark. */
const BEGINNING = /^(?:\xef\xbb\xbf)?[ \t\r\n]*(\{[ \t\r\n]*"points"[ \t\r\n]*:[ \t\r\n]*)?\[/
const BEGINNING_BYTES = 1024

/** Where the elements of a large array of points begin, and whether a brace must follow the array. */
export interface Outer {
  readonly start: number
  readonly isMember: boolean
}

/** Undefined where the body does not begin like one. */
export function outerOf(body: Uint8Array): Outer | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, BEGINNING_BYTES)).toString('latin1')
  const found = BEGINNING.exec(text)
  return found === null ? undefined : { start: found[0].length, isMember: found[1] !== undefined }
}

/** Whether only what has to close the body follows the array that ends before `at`. */
export function endsAfter(body: Uint8Array, at: number, { isMember }: Outer): boolean {
  let rest = isMember ? '}' : ''
  for (let place = at; place < body.length; place++) {
    const char = String.fromCharCode(body[place] as number)
    if (char === rest) rest = ''
    else if (!' \t\r\n'.includes(char)) return false
  }
  return rest === ''
}

/** Some elements of an array. */
export interface Elements {
  /** The position after the last element: a comma, the bracket that closes the array, or the end of the body. */
  readonly end: number
  readonly closes: 'array' | 'slice' | 'nothing'
  /** Whether this is a single element that is too large to be read. */
  readonly isTooLarge: boolean
}

/** Finds elements by brackets, commas and quotes only; whether they are JSON is checked elsewhere. */
export function elementsFrom(body: Uint8Array, start: number): Elements {
  let depth = 0
  let elementStart = start
  const slice = (end: number, closes: Elements['closes']): Elements => {
    if (end - elementStart <= MAX_POINT_BYTES) return { end, closes, isTooLarge: false }
    // The elements before it are a slice of their own.
    if (elementStart > start) return { end: elementStart - 1, closes: 'slice', isTooLarge: false }
    return { end, closes, isTooLarge: true }
  }
  for (let at = start; at < body.length; at++) {
    const byte = body[at] as number
    if (byte === QUOTE) {
      at = stringEnd(body, at + 1)
    } else if (byte === COMMA) {
      if (depth > 0) continue
      if (at - start >= SLICE_BYTES) return slice(at, 'slice')
      elementStart = at + 1
    } else if ((byte | BRACE_BIT) === OPENING) {
      depth++
    } else if ((byte | BRACE_BIT) === CLOSING) {
      if (depth === 0) return slice(at, 'array')
      depth--
    }
  }
  return slice(body.length, 'nothing')
}

/** The position of the closing quote, or of the body's end. */
function stringEnd(body: Uint8Array, start: number): number {
  let at = start
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}
