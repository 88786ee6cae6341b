import { isDigit, tableOf } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'
import { lookAtAngles } from './angles.ts'

/** Fewer places than these are a position to the nearest kilometre, and any measurement. */
const LEAST_PLACES = 3
const LONGEST = 64
const SRID = 'SRID='
const GEO = 'geo:'
const BEGINNINGS = tableOf((code) => '([PpgNSEWO'.includes(String.fromCharCode(code)))
const HEIGHT = /^ ?-?\d{1,5}(?:\.\d{1,6})?$/

/** The degrees of the number that was read last, without its places. */
let degrees = 0

const COMMA = 44
const POINT = 46
const MINUS = 45
const PLUS = 43
const BLANK = 32
const SEMICOLON = 59

/** `52.5200, 13.4050` is a position; `52.5200` may be one, as its name says. */
function look(value: string): Found {
  const { length } = value
  if (length < 5 || length > LONGEST) return NO
  const first = value.charCodeAt(0)
  if (!isDigit(first) && first !== MINUS && first !== PLUS) return isLookedAt(first) ? lookAtOthers(value, first) : NO
  const end = endOfDegrees(value, 0, POINT)
  if (end === -1) return lookAtNumbers(value)
  if (degrees > 180) return NO
  if (end === length) return FORM
  const separator = value.charCodeAt(end)
  if (degrees > 90 || (separator !== COMMA && separator !== SEMICOLON && separator !== BLANK))
    return lookAtAngles(value)
  const at = startOfNext(value, end + 1)
  const last = endOfDegrees(value, at, POINT)
  if (last === -1) return lookAtAngles(value)
  return degrees <= 180 && (last === length || isHeight(value, last)) ? MATCH : NO
}

function startOfNext(value: string, from: number): number {
  let at = from
  while (at < value.length && value.charCodeAt(at) === BLANK) at++
  return at
}

/** A third number behind the two of a position: how high it is. */
function isHeight(value: string, from: number): boolean {
  const code = value.charCodeAt(from)
  return (code === COMMA || code === SEMICOLON || code === BLANK) && HEIGHT.test(value.slice(from + 1))
}

/** Numbers with a comma in the place of the point, or degrees with their sign; most numbers are neither. */
function lookAtNumbers(value: string): Found {
  const { length } = value
  let at = isDigit(value.charCodeAt(0)) ? 0 : 1
  const start = at
  while (at < length && at - start < 4 && isDigit(value.charCodeAt(at))) at++
  const code = value.charCodeAt(at)
  if (at === start || at - start > 3) return NO
  if (code !== COMMA) return isDigit(value.charCodeAt(length - 1)) ? NO : lookAtAngles(value)
  const end = endOfDegrees(value, 0, COMMA)
  // With three places it may be a thousand.
  if (end - at <= LEAST_PLACES + 1 || degrees > 180) return NO
  if (end === length) return FORM
  const separator = value.charCodeAt(end)
  if (degrees > 90 || (separator !== SEMICOLON && separator !== BLANK)) return lookAtAngles(value)
  return endOfDegrees(value, startOfNext(value, end + 1), COMMA) === length && degrees <= 180 ? MATCH : NO
}

/** What else a position may begin with: ( [ P, and the quarters of the sky. */
const isLookedAt = (code: number): boolean => code < 128 && BEGINNINGS[code] === 1

function lookAtOthers(value: string, first: number): Found {
  if (first === 80 || first === 112) return isPoint(value) ? MATCH : NO
  if (first === 40 || first === 91) return isBracketed(value) ? MATCH : NO
  if (first === 83 && value.startsWith(SRID)) return isPoint(value.slice(value.indexOf(';') + 1)) ? MATCH : NO
  if (first === 103) return value.startsWith(GEO) && look(value.slice(GEO.length)) === MATCH ? MATCH : NO
  return isAngleAt(value.charCodeAt(1)) ? lookAtAngles(value) : NO
}

const isAngleAt = (code: number): boolean => isDigit(code) || code === BLANK

/** Two numbers in brackets, in either order: some write the longitude first. */
function isBracketed(value: string): boolean {
  const end = endOfDegrees(value, 1, POINT)
  if (end === -1 || degrees > 180) return false
  const first = degrees
  const separator = value.charCodeAt(end)
  if (separator !== COMMA && separator !== SEMICOLON && separator !== BLANK) return false
  const last = endOfDegrees(value, startOfNext(value, end + 1), POINT)
  if (last === -1 || degrees > 180 || (first > 90 && degrees > 90)) return false
  const close = value.charCodeAt(0) === 40 ? 41 : 93
  return last === value.length - 1 && value.charCodeAt(last) === close
}

/** `POINT (13.405 52.52)`, as databases write it: the longitude comes first. */
function isPoint(value: string): boolean {
  const open = value.indexOf('(')
  if (open < 5 || open > 6 || !/^point ?$/i.test(value.slice(0, open))) return false
  const blank = endOfDegrees(value, open + 1, POINT)
  if (blank === -1 || degrees > 180 || value.charCodeAt(blank) !== 32) return false
  const last = value.length - 1
  return endOfDegrees(value, blank + 1, POINT) === last && degrees <= 90 && value.charCodeAt(last) === 41
}

/** Where a number of degrees with so many places ends; -1 where there is none. */
function endOfDegrees(value: string, from: number, point: number): number {
  const { length } = value
  if (from >= length) return -1
  let at = from
  let code = value.charCodeAt(at)
  if (code === 45 || code === 43) at++
  const start = at
  let whole = 0
  // Neither latitudes nor longitudes have more than three digits before the point.
  const most = Math.min(length, start + 4)
  for (; at < most; at++) {
    code = value.charCodeAt(at)
    if ((code - 48) >>> 0 > 9) break
    whole = whole * 10 + code - 48
  }
  if (at === start || at - start > 3 || code !== point) return -1
  const places = ++at
  while (at < length && (value.charCodeAt(at) - 48) >>> 0 <= 9) at++
  degrees = whole
  return at - places >= LEAST_PLACES ? at : -1
}

export const coordinates = detector({
  kind: 'coordinates',
  form: 'Position in degrees',
  alone: 0.85,
  leastHolding: 0,
  formCounts: true,
  look
})
