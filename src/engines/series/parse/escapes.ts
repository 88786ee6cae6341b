import { BACKSLASH, COMMA, EQUALS, NEWLINE, SPACE } from './bytes.ts'
import { decoded } from './text.ts'

/**
 * The first comma, equals sign or space without a backslash before it, or the newline. A backslash before any other
 * character is just a backslash, and a newline always ends a line: so a bad line does not spoil the next one.
 */
export function nextSpecial(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte === COMMA || byte === EQUALS || byte === SPACE || byte === NEWLINE) return at
    at += byte === BACKSLASH && isEscapable(bytes[at + 1]) ? 2 : 1
  }
}

function isEscapable(byte: number | undefined): boolean {
  return byte === COMMA || byte === EQUALS || byte === SPACE
}

/** In a measurement an equals sign needs no backslash, so a backslash before it is kept. */
export function readMeasurement(bytes: Buffer, start: number, end: number): string | undefined {
  return decoded(bytes.subarray(start, end))?.replaceAll(/\\([, ])/g, '$1')
}

/** The key of a label or field, or the value of a label. Undefined where it is not UTF-8 or holds a NUL. */
export function readName(bytes: Buffer, start: number, end: number): string | undefined {
  return decoded(bytes.subarray(start, end))?.replaceAll(/\\([,= ])/g, '$1')
}
