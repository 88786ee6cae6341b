import { isDigit } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'

/** Fewer places than these are a position to the nearest kilometre, and any measurement. */
const LEAST_PLACES = 3

/** `52.5200, 13.4050` is a position; `52.5200` may be one, as its name says. */
function look(value: string): Found {
  if (value.length < 5 || value.length > 48) return NO
  const first = value.charCodeAt(0)
  if (first === 80 || first === 112) return isPoint(value) ? MATCH : NO
  if (!isDigit(first) && first !== 45 && first !== 43) return NO
  const separator = separatorIn(value)
  if (separator === -1) return degrees(value, 0, value.length, 180) ? FORM : NO
  const isPair =
    degrees(value, 0, separator, 90) && degrees(value, afterBlanks(value, separator + 1), value.length, 180)
  return isPair ? MATCH : NO
}

function separatorIn(value: string): number {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === 44 || code === 59 || code === 32) return at
  }
  return -1
}

function afterBlanks(value: string, from: number): number {
  let at = from
  while (value.charCodeAt(at) === 32) at++
  return at
}

/** `POINT (13.405 52.52)`, as databases write it: the longitude comes first. */
function isPoint(value: string): boolean {
  const open = value.indexOf('(')
  const blank = value.indexOf(' ', open)
  if (open < 5 || open > 6 || blank < 0 || !/^point ?$/i.test(value.slice(0, open))) return false
  if (value.charCodeAt(value.length - 1) !== 41) return false
  return degrees(value, open + 1, blank, 180) && degrees(value, blank + 1, value.length - 1, 90)
}

/** A number with so many places, within the limits. */
function degrees(value: string, from: number, to: number, limit: number): boolean {
  let at = from
  if (value.charCodeAt(at) === 45 || value.charCodeAt(at) === 43) at++
  const start = at
  let whole = 0
  while (at < to && isDigit(value.charCodeAt(at))) whole = whole * 10 + value.charCodeAt(at++) - 48
  if (at === start || at - start > 3 || whole > limit || value.charCodeAt(at) !== 46) return false
  const places = ++at
  while (at < to && isDigit(value.charCodeAt(at))) at++
  return at === to && at - places >= LEAST_PLACES
}

export const coordinates = detector({
  kind: 'coordinates',
  form: 'Position in degrees',
  alone: 0.85,
  leastHolding: 0,
  formCounts: true,
  look
})
