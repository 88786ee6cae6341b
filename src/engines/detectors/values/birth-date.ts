import { isDay, isDigit, isLetter } from '../chars.ts'
import { detector, FORM, type Found, NO } from '../detector.ts'
import { withLetter } from '../word-roles.ts'
import { PLAIN_LETTERS } from '../word-set.ts'
import { MONTH_ROLES, MONTH as NAME_OF_MONTH } from './months.ts'

const EARLIEST = 1900
const LATEST = 2099
const SHORTEST = 6
const LONGEST = 40
const COLON = 58

/** Dates without a time of the day. No date by itself says that somebody was born on it: only the name of a column does. */
function look(value: string): Found {
  const { length } = value
  if (length < SHORTEST || length > LONGEST) return NO
  if (!isDigit(value.charCodeAt(0))) return isDigit(value.charCodeAt(length - 1)) ? lookAtParts(value) : NO
  const separator = value.charCodeAt(4)
  if (isBetween(separator) && length >= 10 && value.charCodeAt(7) === separator && isDate(value, 0, 5, 8)) {
    return length === 10 || isMidnight(value, 10) ? FORM : NO
  }
  if (length === 8 && isDigit(value.charCodeAt(2)) && isDigit(separator))
    return isDate(value, 0, 4, 6) || isDate(value, 4, 2, 0) ? FORM : NO
  const other = value.charCodeAt(2)
  if (length === 10 && isBetween(other) && value.charCodeAt(5) === other) {
    return isDate(value, 6, 3, 0) || isDate(value, 6, 0, 3) ? FORM : NO
  }
  return lookAtParts(value)
}

/** - . / */
const isBetween = (code: number) => code >= 45 && code <= 47

function isDate(value: string, yearAt: number, monthAt: number, dayAt: number): boolean {
  const year = two(value, yearAt) * 100 + two(value, yearAt + 2)
  return year >= EARLIEST && year <= LATEST && isDay(two(value, monthAt), two(value, dayAt))
}

/** The number of two digits; far from any other where there are none. */
function two(value: string, at: number): number {
  const tens = value.charCodeAt(at)
  const ones = value.charCodeAt(at + 1)
  return isDigit(tens) && isDigit(ones) ? (tens - 48) * 10 + ones - 48 : -100_000
}

const MIDNIGHT = /^[T ]\d\d?:[03]0(?::00(?:[.,]0+)?)?(?: ?[AP]M)?(?:Z| ?[+-]\d\d(?::?[03]0)?)?$/i

/**
 * What databases make of a date: midnight, to whatever precision, or what it is by the clock of London where it is midnight elsewhere. Of most times
 * the minutes tell that they are none.
 */
function isMidnight(value: string, from: number): boolean {
  const colon = value.charCodeAt(from + 2) === COLON ? from + 2 : from + 3
  if (value.charCodeAt(colon) !== COLON || value.charCodeAt(colon + 2) !== 48) return false
  return MIDNIGHT.test(value.slice(from))
}

/** What a character of a date in parts is. 年 月 日 년 월 일 stand behind their numbers, as separators do. */
const DIGIT = 1
const LETTER = 2
const BETWEEN = 3
const SEPARATORS = " ',-./年月日년월일"
/** Of all characters, so that none has to be asked whether it is in the table. */
const CHARACTERS = new Uint8Array(0x10000)
for (const separator of SEPARATORS) CHARACTERS[separator.charCodeAt(0)] = BETWEEN
for (let code = 0; code < PLAIN_LETTERS.length; code++) {
  if (isDigit(code)) CHARACTERS[code] = DIGIT
  else if (isLetter(code)) CHARACTERS[code] = LETTER
}
/** What is no import is known to be constant, and is faster to get at. */
const PLAIN = PLAIN_LETTERS
const MONTH = NAME_OF_MONTH

const MOST_DIGITS = 4
const MOST_BETWEEN = 2
const PARTS = 3
/** Of a date that is written in parts: each number, and how many digits it has, which is none for the name of a month. */
const written = new Int32Array(PARTS)
const DIGITS = 16
const NUMBER = 2 ** DIGITS - 1

/** `5-Oct-1972`, `October 5th, 1972`, `5. 3. 72`, `1972年3月5日`: three parts, of which one may be the name of a month. */
function lookAtParts(value: string): Found {
  const { length } = value
  let parts = 0
  let named = -1
  let between = 0
  let at = 0
  while (at < length && parts < PARTS) {
    let code = value.charCodeAt(at)
    const character = CHARACTERS[code]
    if (character === DIGIT) {
      const start = at
      let number = 0
      while ((code - 48) >>> 0 <= 9) {
        number = number * 10 + code - 48
        if (++at === length) break
        code = value.charCodeAt(at)
      }
      if (at - start > MOST_DIGITS) return NO
      written[parts++] = ((at - start) << DIGITS) | number
      between = 0
    } else if (character === LETTER) {
      let number = 0
      while (CHARACTERS[code] === LETTER) {
        number = withLetter(number, PLAIN[code] as number)
        if (++at === length) break
        code = value.charCodeAt(at)
      }
      const roles = MONTH_ROLES.rolesOf(number)
      if (roles === 0) return NO
      if ((roles & MONTH) !== 0) {
        if (named !== -1) return NO
        named = parts
        written[parts++] = 0
      }
      between = 0
    } else {
      if (character !== BETWEEN || at === 0 || ++between > MOST_BETWEEN) return NO
      at++
    }
  }
  if (parts < PARTS || !isEnd(value, at)) return NO
  return (named === -1 ? areNumbers() : areNumbersBeside(named)) ? FORM : NO
}

const END = /^\.? ?(?:[年日일]|г\.?|р\.?)?$/u

function isEnd(value: string, from: number): boolean {
  const rest = value.length - from
  return rest === 0 || (rest <= PARTS ? END.test(value.slice(from)) : isMidnight(value, from))
}

const digitsOf = (part: number): number => (written[part] as number) >> DIGITS
const numberOf = (part: number): number => (written[part] as number) & NUMBER

/** Whether a part is a year: all of it, or the last two digits. */
function isYear(part: number): boolean {
  const digits = digitsOf(part)
  return digits === 2 || (digits === 4 && numberOf(part) >= EARLIEST && numberOf(part) <= LATEST)
}

const isDayIn = (month: number, day: number): boolean =>
  digitsOf(month) <= 2 && digitsOf(day) <= 2 && isDay(numberOf(month), numberOf(day))

function areNumbers(): boolean {
  if (isYear(2) && (isDayIn(0, 1) || isDayIn(1, 0))) return true
  return isYear(0) && isDayIn(1, 2)
}

/** Of the two others one is the day, and the other a year. */
function areNumbersBeside(named: number): boolean {
  const first = named === 0 ? 1 : 0
  const last = named === 2 ? 1 : 2
  return (isYear(last) && isDayOfMonth(first)) || (isYear(first) && isDayOfMonth(last))
}

const isDayOfMonth = (part: number): boolean => digitsOf(part) <= 2 && numberOf(part) >= 1 && numberOf(part) <= 31

export const birthDate = detector({ kind: 'birth-date', form: 'Date of birth', alone: 0, formCounts: true, look })
