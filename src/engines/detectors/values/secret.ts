import { isAsciiLetter, isDigit, isHex, isLower, isUpper, tableOf } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'

const isWordCode = (code: number) => isAsciiLetter(code) || isDigit(code) || code === 95 || code === 45
const WORD_CODES = tableOf(isWordCode)
const WORD_CODES_AND_DOTS = tableOf((code) => isWordCode(code) || code === 46)
const UPPER_OR_DIGITS = tableOf((code) => isUpper(code) || isDigit(code))
const HEX = tableOf(isHex)

/** Beginnings that services give to their tokens, with the least number of characters behind them and what those are. */
type Prefix = readonly [prefix: string, least: number, part: Uint8Array]
const PREFIXES: readonly Prefix[] = [
  ['AKIA', 16, UPPER_OR_DIGITS], // Amazon
  ['ASIA', 16, UPPER_OR_DIGITS],
  ['ghp_', 36, WORD_CODES], // GitHub
  ['gho_', 36, WORD_CODES],
  ['ghu_', 36, WORD_CODES],
  ['ghs_', 36, WORD_CODES],
  ['ghr_', 36, WORD_CODES],
  ['github_pat_', 22, WORD_CODES],
  ['glpat-', 20, WORD_CODES], // GitLab
  ['xoxb-', 20, WORD_CODES], // Slack
  ['xoxp-', 20, WORD_CODES],
  ['xoxa-', 20, WORD_CODES],
  ['xoxr-', 20, WORD_CODES],
  ['xoxs-', 20, WORD_CODES],
  ['sk_live_', 16, WORD_CODES], // Stripe
  ['sk_test_', 16, WORD_CODES],
  ['rk_live_', 16, WORD_CODES],
  ['rk_test_', 16, WORD_CODES],
  ['whsec_', 16, WORD_CODES],
  ['AIza', 35, WORD_CODES], // Google
  ['ya29.', 20, WORD_CODES],
  ['npm_', 36, WORD_CODES],
  ['pypi-', 30, WORD_CODES],
  ['dop_v1_', 40, HEX], // DigitalOcean
  ['SG.', 30, WORD_CODES_AND_DOTS], // SendGrid
  ['mr_', 36, WORD_CODES] // keys of this platform
]

/** What begins with each character, so that hardly any value is compared with all of them. */
const byFirst = <T extends readonly [prefix: string, ...unknown[]]>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: 128 }, (_, code) => all.filter(([prefix]) => prefix.charCodeAt(0) === code))

const PREFIXES_BY_FIRST = byFirst(PREFIXES)

function lookForTokens(value: string): Found {
  if (value.length < 16) return NO
  const first = value.charCodeAt(0)
  if (first === 45) return isPem(value) ? MATCH : NO
  if (first === 101 && value.startsWith('eyJ')) return isJwt(value) ? MATCH : NO
  if (first > 127) return NO
  const prefixes = PREFIXES_BY_FIRST[first] as readonly Prefix[]
  for (let at = 0; at < prefixes.length; at++) {
    const [prefix, least, part] = prefixes[at] as Prefix
    if (!value.startsWith(prefix)) continue
    return value.length - prefix.length >= least && areAllIn(part, value, prefix.length) ? MATCH : NO
  }
  return NO
}

const isPem = (value: string) =>
  value.startsWith('-----BEGIN ') && (value.includes('PRIVATE KEY-----') || value.includes('CERTIFICATE-----'))

/** Two objects of JSON in Base64 with a dot between them; long ones are cut in the middle of the signature. */
function isJwt(value: string): boolean {
  const dot = value.indexOf('.')
  if (dot < 10 || !value.startsWith('eyJ', dot + 1)) return false
  return areAllIn(WORD_CODES_AND_DOTS, value, 0)
}

function areAllIn(table: Uint8Array, value: string, from: number): boolean {
  for (let at = from; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code > 127 || table[code] === 0) return false
  }
  return true
}

type Hash = readonly [prefix: string, least: number]
const HASHES: readonly Hash[] = [
  ['$2a$', 59],
  ['$2b$', 59],
  ['$2y$', 59],
  ['$argon2', 40],
  ['$1$', 26],
  ['$5$', 46],
  ['$6$', 86],
  ['$y$', 40],
  ['$scrypt$', 40],
  ['$pbkdf2', 40],
  ['pbkdf2_sha', 40],
  ['pbkdf2:sha', 40],
  ['scrypt:', 40],
  ['{SSHA', 30],
  ['{CRYPT}', 20]
]

const HASHES_BY_FIRST = byFirst(HASHES)

function lookForHashes(value: string): Found {
  const first = value.charCodeAt(0)
  if (value.length < 20 || first > 127) return NO
  const hashes = HASHES_BY_FIRST[first] as readonly Hash[]
  for (let at = 0; at < hashes.length; at++) {
    const [prefix, least] = hashes[at] as Hash
    if (value.length >= least && value.startsWith(prefix)) return MATCH
  }
  return NO
}

/** What each character adds to the counts of small letters, capital ones and digits, which share one number. */
const CAPITAL = 1 << 10
const DIGIT = 1 << 20
const WORTHS = Int32Array.from({ length: 128 }, (_, code) =>
  isLower(code) ? 1 : isUpper(code) ? CAPITAL : isDigit(code) ? DIGIT : 0
)

/** Text without blanks that may be a password or a token, as its name says; numbers, times and single words of a list are none. */
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
  const isTime = counts >= 8 * DIGIT && value.charCodeAt(4) === 45 && value.charCodeAt(7) === 45
  return isTime || value.includes('@') || value.includes('://') ? NO : FORM
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
