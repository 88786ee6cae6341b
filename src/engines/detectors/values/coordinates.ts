import { isDigit } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'

/** Fewer places than these are a position to the nearest kilometre, and any measurement. */
const LEAST_PLACES = 3

/** The degrees of the number that was read last, without its places. */
let degrees = 0

/** `52.5200, 13.4050` is a position; `52.5200` may be one, as its name says. */
function look(value: string): Found {
  const { length } = value
  if (length < 5 || length > 48) return NO
  const first = value.charCodeAt(0)
  if (first === 80 || first === 112) return isPoint(value) ? MATCH : NO
  if (!isDigit(first) && first !== 45 && first !== 43) return NO
  const end = endOfDegrees(value, 0)
  if (end === -1 || degrees > 180) return NO
  if (end === length) return FORM
  const separator = value.charCodeAt(end)
  if (degrees > 90 || (separator !== 44 && separator !== 59 && separator !== 32)) return NO
  let at = end + 1
  while (at < length && value.charCodeAt(at) === 32) at++
  return endOfDegrees(value, at) === length && degrees <= 180 ? MATCH : NO
}

/** `POINT (13.405 52.52)`, as databases write it: the longitude comes first. */
function isPoint(value: string): boolean {
  const open = value.indexOf('(')
  if (open < 5 || open > 6 || !/^point ?$/i.test(value.slice(0, open))) return false
  const blank = endOfDegrees(value, open + 1)
  if (blank === -1 || degrees > 180 || value.charCodeAt(blank) !== 32) return false
  const last = value.length - 1
  return endOfDegrees(value, blank + 1) === last && degrees <= 90 && value.charCodeAt(last) === 41
}

/** Where a number of degrees with so many places ends; -1 where there is none. */
function endOfDegrees(value: string, from: number): number {
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
  if (at === start || at - start > 3 || code !== 46) return -1
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
