const TAB = 9
export const NEWLINE = 10
export const RETURN = 13
export const SPACE = 32
export const QUOTE = 34
export const HASH = 35
export const COMMA = 44
export const MINUS = 45
export const DOT = 46
export const ZERO = 48
export const NINE = 57
export const EQUALS = 61
export const BACKSLASH = 92

const LINE_END = Buffer.from([NEWLINE])

/** A larger body is not copied just to add a newline. */
const MAX_COPIED_BYTES = 1 << 20

/**
 * The body with a newline at its end, so that whatever reads a line needs no other bound. Always a `Buffer`: code that sees
 * two kinds of arrays is slower for both. The body is taken over.
 */
export function newlineEnded(body: Uint8Array): Buffer {
  const { buffer, byteOffset, length } = body
  const bytes = Buffer.from(buffer, byteOffset, length)
  if (bytes[length - 1] === NEWLINE) return bytes
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === length
  if (!isAlone || length <= MAX_COPIED_BYTES) return Buffer.concat([bytes, LINE_END])
  const longer = Buffer.from(buffer.transfer(length + 1))
  longer[length] = NEWLINE
  return longer
}

/** Whether a line ends here. */
export function endsLine(bytes: Buffer, at: number): boolean {
  return bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE)
}

/** The position after blanks, which separate the parts of a line and may stand around it. */
export function skipBlanks(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === SPACE || bytes[at] === TAB) at++
  return at
}
