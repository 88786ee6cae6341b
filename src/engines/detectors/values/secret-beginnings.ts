import { isAsciiLetter, isDigit, isHex, isLower, isUpper, tableOf } from '../chars.ts'

/** A beginning that a service gives to its tokens, how many characters are behind it at least, and whether those are right. */
export interface Beginning {
  readonly text: string
  readonly least: number
  holds(value: string, from: number): boolean
}

const isWordCode = (code: number) => isAsciiLetter(code) || isDigit(code) || code === 95 || code === 45
const WORD_CODES = tableOf(isWordCode)
const WORD_CODES_AND_DOTS = tableOf((code) => isWordCode(code) || code === 46)
const UPPER_OR_DIGITS = tableOf((code) => isUpper(code) || isDigit(code))
const HEX = tableOf(isHex)
/** What is in Base64 of either kind, with dots and what else HTTP lets be in a token. */
const TOKEN_CODES = tableOf((code) => isWordCode(code) || '+/=.~'.includes(String.fromCharCode(code)))

function areAllIn(table: Uint8Array, value: string, from: number): boolean {
  for (let at = from; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code > 127 || table[code] === 0) return false
  }
  return true
}

/** What no word is: there is a digit in it, an equals sign, or a capital letter behind a small one. */
function isNoWord(value: string, from: number): boolean {
  for (let at = from; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (isDigit(code) || code === 61) return true
    if (at > from && isUpper(code) && isLower(value.charCodeAt(at - 1))) return true
  }
  return false
}

/** `user:password@` before the host of an address. */
function hasPassword(value: string, from: number): boolean {
  const at = value.indexOf('@', from)
  const colon = value.indexOf(':', from)
  const slash = value.indexOf('/', from)
  return colon !== -1 && colon < at - 1 && (slash === -1 || at < slash)
}

const KEY_IN_PARTS = /(?:password|pwd|accountkey|sharedaccesskey|secret) ?=[^;]{4}/i
const hasKey = (value: string): boolean => KEY_IN_PARTS.test(value)

const ofCodes =
  (table: Uint8Array, least: number) =>
  (text: string): Beginning => ({ text, least, holds: (value, from) => areAllIn(table, value, from) })
const ofToken =
  (least: number) =>
  (text: string): Beginning => ({
    text,
    least,
    holds: (value, from) => areAllIn(TOKEN_CODES, value, from) && isNoWord(value, from)
  })
const of = (texts: string, make: (text: string) => Beginning): Beginning[] => texts.split(' ').map(make)

const DATABASES =
  'postgres postgresql mysql mariadb mongodb mongodb+srv redis rediss amqp amqps mqtt mqtts ftp sftp http https smtp smtps ldap ldaps nats clickhouse mssql influxdb'

/** What tokens of services begin with, of HTTP's headers, and of addresses and texts by which programs connect with a password. */
export const TOKENS: readonly Beginning[] = [
  ...of('AKIA ASIA ABIA ACCA', ofCodes(UPPER_OR_DIGITS, 16)),
  ...of('ghp_ gho_ ghu_ ghs_ ghr_ npm_ mr_', ofCodes(WORD_CODES, 36)),
  ...of(
    'github_pat_ glpat- glrt- gldt- glptt- xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp- dckr_pat_ lin_api_ PMAK- NRAK- GOCSPX- figd_ ntn_ sbp_ gsk_ xai- nvapi- rubygems_ shpat_ shpss_ shpca_ shppa_ CFPAT- sntrys_',
    ofCodes(WORD_CODES, 20)
  ),
  ...of('sk_live_ sk_test_ rk_live_ rk_test_ whsec_ rzp_live_ rzp_test_ sq0atp- sq0csp-', ofCodes(WORD_CODES, 14)),
  ...of('AIza', ofCodes(WORD_CODES, 35)),
  ...of('ya29. hvs. hvb. hvr. dp.pt.', ofCodes(WORD_CODES_AND_DOTS, 20)),
  ...of('pypi- hf_ ATATT3', ofCodes(TOKEN_CODES, 30)),
  ...of('dop_v1_ doo_v1_ dor_v1_', ofCodes(HEX, 40)),
  ...of('dapi key-', ofCodes(HEX, 32)),
  ...of('SG.', ofCodes(WORD_CODES_AND_DOTS, 30)),
  ...of('sk-', ofToken(20)),
  ...of('AGE-SECRET-KEY-1', ofCodes(UPPER_OR_DIGITS, 50)),
  ...['Basic ', 'basic '].map(ofToken(8)),
  ...['Bearer ', 'bearer ', 'Token ', 'token ', 'ApiKey ', 'Api-Key ', 'Negotiate ', 'NTLM '].map(ofToken(12)),
  ...['AWS4-HMAC-SHA256 Credential=', 'Digest username=', 'PuTTY-User-Key-File-', 'otpauth://'].map(
    (text): Beginning => ({ text, least: 10, holds: () => true })
  ),
  ...of(DATABASES, (scheme) => ({ text: `${scheme}://`, least: 5, holds: hasPassword })),
  ...[
    'Server=',
    'server=',
    'Data Source=',
    'Host=',
    'host=',
    'Driver=',
    'DefaultEndpointsProtocol=',
    'Endpoint=sb://',
    'jdbc:'
  ].map((text): Beginning => ({ text, least: 10, holds: hasKey }))
]

const isAny = (): boolean => true
const hash = (text: string, least: number): Beginning => ({ text, least: least - text.length, holds: isAny })

/** Hashes of passwords, with the least length of all. */
export const HASHES: readonly Beginning[] = [
  ...of('$2a$ $2b$ $2x$ $2y$', (text) => hash(text, 59)),
  ...of(
    '$argon2 $y$ $7$ $scrypt$ $pbkdf2 pbkdf2_sha pbkdf2:sha scrypt: $sha1$ bcrypt$$ bcrypt_sha256$ argon2$ sha256$ {PBKDF2 {pbkdf2} {scrypt} {bcrypt} {argon2}',
    (text) => hash(text, 40)
  ),
  hash('$1$', 26),
  hash('$apr1$', 30),
  hash('$5$', 46),
  hash('$6$', 86),
  hash('{SSHA', 30),
  hash('{SHA', 30),
  hash('{MD5}', 27),
  hash('{CRYPT}', 20),
  hash('SCRAM-SHA-256$', 60),
  // PostgreSQL, MySQL and SQL Server.
  ...of('md5', ofCodes(HEX, 32)),
  ...of('*', ofCodes(HEX, 40)),
  ...of('0x0100 0x0200', ofCodes(HEX, 40))
]

/** What begins with each character, so that hardly any value is compared with all of them. */
export const byFirst = (all: readonly Beginning[]): readonly (readonly Beginning[])[] =>
  Array.from({ length: 128 }, (_, code) => all.filter(({ text }) => text.charCodeAt(0) === code))

/** Two objects of JSON in Base64 with a dot between them; long ones are cut in the middle of the signature. */
export function isJwt(value: string): boolean {
  const dot = value.indexOf('.')
  if (dot < 10 || !value.startsWith('eyJ', dot + 1)) return false
  return areAllIn(WORD_CODES_AND_DOTS, value, 0)
}
