import { isDigit, isHex, tableOf } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'

const DOT = 46
const COLON = 58
const DASH = 45
const SLASH = 47
const PERCENT = 37

const HEX = tableOf(isHex)
/** Codes beyond the table, and the one behind the end of a text, are no digits either. */
const isHexAt = (value: string, at: number): boolean => {
  const code = value.charCodeAt(at)
  return code < 128 && HEX[code] === 1
}

/** Four numbers up to 255 without needless zeros, with the length of a network behind them or without: most are told in one loop. */
function lookForIpv4(value: string): Found {
  const { length } = value
  if (length < 7 || length > 18) return NO
  let dots = 0
  let number = 0
  /** Where the number begins. */
  let from = 0
  for (let at = 0; at < length; at++) {
    const digit = value.charCodeAt(at) - 48
    if (digit >>> 0 <= 9) {
      if (number === 0 && at > from) return NO
      number = number * 10 + digit
      if (number > 255) return NO
    } else {
      if (at === from) return NO
      if (dots === 3) return digit === SLASH - 48 && endOfNumber(value, at + 1, 32) === length ? MATCH : NO
      if (digit !== DOT - 48) return NO
      dots++
      number = 0
      from = at + 1
    }
  }
  return dots === 3 && from < length ? MATCH : NO
}

/** Where four numbers up to 255 end; -1 where there are none. */
function endOfIpv4(value: string, from: number): number {
  let at = from
  for (let part = 0; part < 4; part++) {
    if (part > 0 && value.charCodeAt(at++) !== DOT) return -1
    at = endOfNumber(value, at, 255)
    if (at === -1) return -1
  }
  return at
}

/** Where a number ends that has no needless zeros and is not too great; -1 where there is none. */
function endOfNumber(value: string, from: number, most: number): number {
  let at = from
  let number = 0
  for (; at < value.length && at - from < 3; at++) {
    const digit = value.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) break
    number = number * 10 + digit
  }
  if (at === from || number > most) return -1
  return at - from > 1 && value.charCodeAt(from) === 48 ? -1 : at
}

/** What a character of an IPv6 address is: a digit from 0 to 9 or from A to F, a colon, or something else. */
const OTHER = 0
const DIGIT = 1
const BETWEEN = 2
const DECIMAL = 4
/** Of all characters, so that none has to be asked whether it is in the table. */
const IN_IPV6 = new Uint8Array(0x10000)
for (let code = 0; code < 128; code++) {
  IN_IPV6[code] = isDigit(code) ? DIGIT | DECIMAL : isHex(code) ? DIGIT : code === COLON ? BETWEEN : OTHER
}

/** Eight groups, of which one run of zeros may be left out, and the last two of which may be an IPv4 address. */
function lookForIpv6(value: string): Found {
  const { length } = value
  if (length < 3 || length > 49) return NO
  let groups = 0
  /** How many digits there are since the last colon. */
  let size = 0
  /** Where the run that is left out ends; 0 where none is. */
  let gap = 0
  /** All that there is in it. */
  let seen = 0
  let at = 0
  for (; at < length; at++) {
    const code = value.charCodeAt(at)
    const part = IN_IPV6[code] as number
    seen |= part
    if ((part & DIGIT) !== 0) {
      if (++size > 4) return NO
    } else if (part !== BETWEEN) {
      if (code === SLASH || code === PERCENT) break
      if (code !== DOT || size === 0 || !(groups === 6 || gap > 0)) return NO
      const end = endOfIpv4(value, at - size)
      return end !== -1 && isEnd(value, end) ? MATCH : NO
    } else if (size > 0) {
      groups++
      size = 0
    } else if (at === 0) {
      if (value.charCodeAt(1) !== COLON) return NO
    } else {
      if (gap > 0) return NO
      gap = at + 1
    }
  }
  if (size > 0) groups++
  else if (at !== gap || at === 0) return NO
  if (!isEnd(value, at)) return NO
  // `::` alone, and `a::b`, which is a name in some languages, say too little.
  return gap > 0 ? (groups > 0 && groups < 8 && (seen & DECIMAL) !== 0 ? MATCH : NO) : groups === 8 ? MATCH : NO
}

/** Whether nothing follows an address but the length of a network, or a zone. */
function isEnd(value: string, at: number): boolean {
  if (at >= value.length) return true
  const code = value.charCodeAt(at)
  return code === PERCENT || (code === SLASH && endOfNumber(value, at + 1, 128) === value.length)
}

function lookForMac(value: string): Found {
  const { length } = value
  if (length === 12) return areHex(value, 0, 12) ? FORM : NO
  if (length === 14) return value.charCodeAt(4) === DOT && isGrouped(value, 4) ? MATCH : NO
  if (length !== 17) return NO
  const separator = value.charCodeAt(2)
  return (separator === COLON || separator === DASH) && isGrouped(value, 2) ? MATCH : NO
}

/** Groups of so many digits, all with the same separator between them. */
function isGrouped(value: string, size: number): boolean {
  const separator = value.charCodeAt(size)
  for (let at = 0; at < value.length; at += size + 1) {
    if (!areHex(value, at, at + size)) return false
    if (at + size < value.length && value.charCodeAt(at + size) !== separator) return false
  }
  return true
}

function areHex(value: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isHexAt(value, at)) return false
  return true
}

export const ipv4 = detector({ kind: 'ip-address', form: 'IPv4 address', alone: 0.9, chance: 0.05, look: lookForIpv4 })
export const ipv6 = detector({ kind: 'ip-address', form: 'IPv6 address', alone: 0.95, look: lookForIpv6 })
export const mac = detector({
  kind: 'mac-address',
  form: 'MAC address',
  alone: 0.95,
  formCounts: true,
  look: lookForMac
})
