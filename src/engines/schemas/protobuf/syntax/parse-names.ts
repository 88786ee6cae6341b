import type { Cursor } from './cursor.ts'

/** Names of this length are no work of people, and long ones within each other take long to look at. */
const MAX_NAME_CHARS = 1_000

export function parseName(cursor: Cursor, what: string): string {
  const { at } = cursor
  const name = cursor.take('word', what)
  if (name.length > MAX_NAME_CHARS) cursor.fail(`A name has more than ${MAX_NAME_CHARS} characters; shorten it`, at)
  return name
}

/** `a.b.C` or `.a.b.C`. */
export function parseFullName(cursor: Cursor, what: string): string {
  const { at } = cursor
  let name = cursor.accept('.') ? '.' : ''
  name += cursor.take('word', what)
  while (cursor.accept('.')) name += `.${cursor.take('word', what)}`
  if (name.length > MAX_NAME_CHARS) cursor.fail(`A name has more than ${MAX_NAME_CHARS} characters; shorten it`, at)
  return name
}

const INT_LIMIT = 0x7fff_ffff

/** A number that a field or a value of an enum may be given. */
export function parseInteger(cursor: Cursor, what: string): number {
  const { at } = cursor
  const isNegative = cursor.accept('-')
  const text = cursor.take('integer', what)
  const isOctal = text.length > 1 && text.startsWith('0') && !/^0[xX]/.test(text)
  const number = isOctal ? Number.parseInt(text, 8) : Number(text)
  if (number > INT_LIMIT + (isNegative ? 1 : 0)) cursor.fail(`${text.slice(0, 40)} is out of range for ${what}`, at)
  return isNegative && number !== 0 ? -number : number
}
