import { isDigit, isLower, isUpper } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'
import { type Beginning, byFirst, HASHES, isJwt, TOKENS } from './secret-beginnings.ts'

const TOKENS_BY_FIRST = byFirst(TOKENS)

function lookForTokens(value: string): Found {
  if (value.length < 14) return NO
  const first = value.charCodeAt(0)
  if (first === 45) return isPem(value) ? MATCH : NO
  if (first === 101 && value.startsWith('eyJ')) return isJwt(value) ? MATCH : NO
  if (first > 127) return NO
  if (isDigit(first)) return isOfTelegram(value) ? MATCH : NO
  return beginsSo(value, TOKENS_BY_FIRST[first] as readonly Beginning[])
}

function beginsSo(value: string, beginnings: readonly Beginning[]): Found {
  for (let at = 0; at < beginnings.length; at++) {
    const { text, least, holds } = beginnings[at] as Beginning
    if (!value.startsWith(text)) continue
    if (value.length - text.length >= least && holds(value, text.length)) return MATCH
  }
  return NO
}

const isPem = (value: string) =>
  value.startsWith('-----BEGIN ') &&
  (value.includes('PRIVATE KEY-----') || value.includes('PRIVATE KEY BLOCK-----') || value.includes('CERTIFICATE-----'))

const LEAST_OF_TELEGRAM = 43
const OF_TELEGRAM = /^\d{8,10}:AA[\w-]{33}$/
const isOfTelegram = (value: string) => value.length >= LEAST_OF_TELEGRAM && OF_TELEGRAM.test(value)

const HASHES_BY_FIRST = byFirst(HASHES)

function lookForHashes(value: string): Found {
  const first = value.charCodeAt(0)
  if (value.length < 20 || first > 127) return NO
  return beginsSo(value, HASHES_BY_FIRST[first] as readonly Beginning[])
}

/** What each character adds to the counts of small letters, capital ones and digits, which share one number. */
const CAPITAL = 1 << 10
const DIGIT = 1 << 20
const WORTHS = Int32Array.from({ length: 128 }, (_, code) =>
  isLower(code) ? 1 : isUpper(code) ? CAPITAL : isDigit(code) ? DIGIT : 0
)

/** Text without blanks that may be a password or a token, as its name says; numbers, times, addresses and words of a list are none. */
function lookForTexts(value: string): Found {
  if (value.length < 6 || value.length > 256 || value.indexOf(' ') !== -1) return NO
  let counts = 0
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 32) return NO
    if (code < 128) counts += WORTHS[code] as number
  }
  const lowers = counts % CAPITAL
  const uppers = (counts >> 10) % CAPITAL
  if (lowers + uppers < 2 || (uppers === 1 && lowers === value.length - 1)) return NO
  if (counts < DIGIT && (lowers === 0 || uppers === 0) && WORDS.test(value)) return NO
  const isTime = counts >= 8 * DIGIT && value.charCodeAt(4) === 45 && value.charCodeAt(7) === 45
  return isTime || isAddress(value) || value.includes('://') ? NO : FORM
}

/** Letters of one case with nothing but dashes and dots between them. */
const WORDS = /^[A-Za-z._-]+$/

function isAddress(value: string): boolean {
  const at = value.indexOf('@')
  return at > 0 && value.indexOf('.', at) !== -1
}

export const tokens = detector({
  kind: 'secret',
  form: 'Token or key',
  alone: 0.97,
  chance: 0.001,
  look: lookForTokens
})
export const hashes = detector({
  kind: 'secret',
  form: 'Hash of a password',
  alone: 0.97,
  chance: 0.001,
  look: lookForHashes
})
export const texts = detector({
  kind: 'secret',
  form: 'Password or token',
  alone: 0,
  formCounts: true,
  look: lookForTexts
})
