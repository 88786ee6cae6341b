import { isDay, isDigit } from '../chars.ts'
import { detector, FORM, type Found, NO } from '../detector.ts'

const EARLIEST = 1900
const LATEST = 2099

/** Dates without a time of the day. No date by itself says that somebody was born on it: only the name of a column does. */
function look(value: string): Found {
  if (value.length < 8 || value.length > 24 || !isDigit(value.charCodeAt(0))) return NO
  if (value.length === 8) return isDate(value, 0, 4, 6) ? FORM : NO
  if (value.length > 10 && !isMidnight(value)) return NO
  if (value.length < 10) return NO
  const separator = value.charCodeAt(4)
  if (!isDigit(separator)) {
    return isBetween(separator) && value.charCodeAt(7) === separator && isDate(value, 0, 5, 8) ? FORM : NO
  }
  const other = value.charCodeAt(2)
  if (value.length > 10 || !isBetween(other) || value.charCodeAt(5) !== other) return NO
  return isDate(value, 6, 3, 0) || isDate(value, 6, 0, 3) ? FORM : NO
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

/** What databases make of a date: midnight, to whatever precision. */
function isMidnight(value: string): boolean {
  const between = value.charCodeAt(10)
  if (between !== 84 && between !== 32) return false
  for (let at = 11; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code !== 48 && code !== 58 && code !== 46 && code !== 90 && code !== 43) return false
  }
  return true
}

export const birthDate = detector({ kind: 'birth-date', form: 'Date of birth', alone: 0, formCounts: true, look })
