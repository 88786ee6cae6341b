/** Characters by their codes: detectors look at each once, so that no value can make them slow. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57
export const isUpper = (code: number): boolean => code >= 65 && code <= 90
export const isLower = (code: number): boolean => code >= 97 && code <= 122
export const isAsciiLetter = (code: number): boolean => isUpper(code) || isLower(code)
export const isHex = (code: number): boolean =>
  isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)

/** Letters of any script, near enough: neither punctuation nor symbols, and none of the characters that are made of two. */
export function isLetter(code: number): boolean {
  if (code < 128) return isAsciiLetter(code)
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return false
  return code < 0x2000 || (code >= 0x2c00 && code < 0xd800)
}

/** One mark for each of the codes up to 127, so that a question about a character is a look into a table. */
export const tableOf = (isIn: (code: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => (isIn(code) ? 1 : 0))

/** What is asked of most characters: the Latin, Greek and Cyrillic ones. */
const COMMON = 0x600
const CAPITALS = Uint8Array.from({ length: COMMON }, (_, code) => (isCapitalByName(code) ? 1 : 0))

/** Latin, Greek and Cyrillic letters have two cases; letters of other scripts count as capital ones. */
export function isCapital(code: number): boolean {
  return code < COMMON ? CAPITALS[code] === 1 : isCapitalByName(code)
}

function isCapitalByName(code: number): boolean {
  if (code < 128) return isUpper(code)
  if (!isLetter(code)) return false
  const letter = String.fromCharCode(code)
  return letter.toUpperCase() === letter
}

const MAX_DIGITS = 24
/** What no module exports is known to be constant, and is faster to get at by a third. */
const read = new Uint8Array(MAX_DIGITS)
/** Each of these is a place that there is. */
type Place = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17
/** The digits that were read last; letters are numbers from 10 to 35, as in an IBAN. */
export const digits = read as Uint8Array & Readonly<Record<Place, number>>

/** Reads digits with single spaces, dashes, dots and slashes between them; answers how many, or -1 for anything else. */
export function readDigits(value: string): number {
  const { length } = value
  const most = Math.min(length, MAX_DIGITS)
  let count = 0
  for (; count < most; count++) {
    const digit = value.charCodeAt(count) - 48
    if (digit >>> 0 > 9) break
    read[count] = digit
  }
  if (count === length) return length === 0 ? -1 : length
  return count === 0 ? -1 : readSeparated(value, count)
}

/** The same where digits are followed by something else. */
function readSeparated(value: string, from: number): number {
  const { length } = value
  let count = from
  /** Where a digit has to be: behind every separator. */
  let due = 0
  for (let at = from; at < length; at++) {
    const digit = value.charCodeAt(at) - 48
    if (digit >>> 0 <= 9) {
      if (count === MAX_DIGITS) return -1
      read[count++] = digit
    } else {
      // Blank - . /
      if (at === due || (digit !== -16 && !(digit >= -3 && digit <= -1))) return -1
      due = at + 1
    }
  }
  return due < length ? count : -1
}

/** What may be in each place of an id, with neither separators nor small letters; and how long it is with separators. */
export interface Places {
  readonly count: number
  readonly longest: number
  /** For each place a row of `ROW`: by its code, the number up to 35 that a character is read as, or `NOT_HERE`. */
  readonly rows: Uint8Array
}
const ROW = 128
const NOT_HERE = 255

/** Each place is a pattern of the capital letters and digits that may be there. */
export function placesOf(longest: number, places: readonly RegExp[]): Places {
  const rows = new Uint8Array(places.length * ROW).fill(NOT_HERE)
  for (const [place, pattern] of places.entries()) {
    for (let part = 0; part < 36; part++) {
      const character = part.toString(36)
      if (!pattern.test(character.toUpperCase())) continue
      rows[place * ROW + character.charCodeAt(0)] = part
      rows[place * ROW + character.toUpperCase().charCodeAt(0)] = part
    }
  }
  return { count: places.length, longest, rows }
}

/** Reads digits and letters, of which case does not matter, without blanks, dashes and dots; answers whether all are in their places. */
export function readPlaces(value: string, { count, longest, rows }: Places): boolean {
  const { length } = value
  if (length !== count) return length > count && length <= longest && readSeparatedPlaces(value, rows)
  let row = 0
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at)
    if (code >= ROW) return false
    const part = rows[row + code] as number
    if (part === NOT_HERE) return false
    row += ROW
    read[at] = part
  }
  return true
}

/** The same where there are more characters than places. */
function readSeparatedPlaces(value: string, rows: Uint8Array): boolean {
  let place = 0
  let row = 0
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    // Blank - .
    if (code === 32 || code === 45 || code === 46) {
      if (at === 0) return false
      continue
    }
    if (row === rows.length || code >= ROW) return false
    const part = rows[row + code] as number
    if (part === NOT_HERE) return false
    row += ROW
    read[place++] = part
  }
  return row === rows.length
}

/** The number that some of the digits make. */
export function numberAt(from: number, count: number): number {
  let number = 0
  for (let at = from; at < from + count; at++) number = number * 10 + (read[at] as number)
  return number
}

export function areAllEqual(count: number): boolean {
  for (let at = 1; at < count; at++) if (read[at] !== read[0]) return false
  return true
}

/** What a digit counts that counts double: the sum of the digits of twice as much. */
const DOUBLED = Uint8Array.of(0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
export const LUHN_DOUBLED = DOUBLED

/** Luhn's sum is a multiple of ten: every second digit from the right counts double, as the sum of its digits. */
export function passesLuhn(from: number, count: number): boolean {
  let sum = 0
  let at = from + count - 1
  for (; at > from; at -= 2) sum += (read[at] as number) + (DOUBLED[read[at - 1] as number] as number)
  if (at === from) sum += read[at] as number
  return sum % 10 === 0
}

const DAYS = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A mark for each day that there is in some year, in the place of a hundred times its month and the day. */
export const DAYS_OF_YEAR = Uint8Array.from({ length: 10_000 }, (_, at) =>
  isDay(Math.floor(at / 100), at % 100) ? 1 : 0
)

/** Whether there is such a day in some year. */
export function isDay(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= (DAYS[month] as number)
}
