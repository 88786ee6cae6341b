import { isDigit, isHex, tableOf } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'

const DOT = 46
const COLON = 58
const DASH = 45
const SLASH = 47
const PERCENT = 37
const COMMA = 44
const BLANK = 32
const OPEN = 91
/** ` - ` */
const MOST_BETWEEN = 4

const HEX = tableOf(isHex)
/** Codes beyond the table, and the one behind the end of a text, are no digits either. */
const isHexAt = (value: string, at: number): boolean => {
  const code = value.charCodeAt(at)
  return code < 128 && HEX[code] === 1
}

/** Four numbers up to 255 without needless zeros, alone or with what is written behind them: most are told in one loop. */
function lookForIpv4(value: string): Found {
  const { length } = value
  if (length < 7) return NO
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
      if (dots === 3) return isBehindIpv4(value, at) ? MATCH : NO
      if (digit !== DOT - 48) return NO
      dots++
      number = 0
      from = at + 1
    }
  }
  return dots === 3 && from < length ? MATCH : NO
}

/** The length of a network or its mask, a port, the end of a range, or another address: `10.0.0.1, 10.0.0.2`, as proxies write them. */
function isBehindIpv4(value: string, from: number): boolean {
  const { length } = value
  const code = value.charCodeAt(from)
  if (code === SLASH) return endOfNumber(value, from + 1, 32) === length || endOfIpv4(value, from + 1) === length
  if (code === COLON) return isPort(value, from + 1)
  if (code !== COMMA && code !== DASH && code !== BLANK) return false
  const first = from + value.slice(from, from + MOST_BETWEEN).search(/[0-9]/)
  const end = first < from ? -1 : endOfIpv4(value, first)
  return end === length || (end !== -1 && code !== DASH && value.charCodeAt(end) === code)
}

/** Whether the rest is a number up to 65,535. */
function isPort(value: string, from: number): boolean {
  let number = 0
  for (let at = from; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (!isDigit(code) || number > 6553) return false
    number = number * 10 + code - 48
  }
  return from < value.length && number > 0 && number <= 65_535
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
  if (length < 3 || length > 57) return NO
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
      if (code === OPEN && at === 0) return lookAtBracketed(value)
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

/** `[2001:db8::1]:443`: an address with a port is in brackets. */
function lookAtBracketed(value: string): Found {
  const close = value.indexOf(']')
  if (value.charCodeAt(1) === OPEN || close === -1 || lookForIpv6(value.slice(1, close)) !== MATCH) return NO
  if (close === value.length - 1) return MATCH
  return value.charCodeAt(close + 1) === COLON && isPort(value, close + 2) ? MATCH : NO
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
  if (length === 17) {
    const separator = value.charCodeAt(2)
    if (separator === COLON || separator === DASH) return isGrouped(value, 2) ? MATCH : NO
    return separator === BLANK && isGrouped(value, 2) ? FORM : NO
  }
  if (length === 14) {
    const separator = value.charCodeAt(4)
    if (separator === DOT) return isGrouped(value, 4) ? MATCH : NO
    return (separator === DASH || separator === COLON) && isGrouped(value, 4) ? withLetter(value) : NO
  }
  return length === 13 && value.charCodeAt(6) === DASH && isGrouped(value, 6) ? withLetter(value) : NO
}

/** Digits in groups of four or six, with dashes, are many other numbers too: one of them has to be a letter. */
const withLetter = (value: string): Found => (/[a-f]/i.test(value) ? MATCH : FORM)

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
