import { toIso } from '../clock.ts'
import { isAllowed } from './algorithms.ts'
import type { CompactToken } from './compact-token.ts'
import type { CheckName, TokenCheck } from './index.ts'
import { quoted } from './quoted.ts'
import { checkType } from './token-type.ts'

/** What tokens must name; where the operator set none, any value will do, but there must be one. */
export interface Expected {
  readonly issuer: string | undefined
  readonly audience: string | undefined
}

/** How far the clocks of provider and platform may differ. */
export const LEEWAY_MS = 30_000

/** OpenID Connect Core, section 2. */
const MAX_SUBJECT_CHARACTERS = 255

const MAX_DATE_MS = 8.64e15

/**
 * The checks that need no key. They run before the signature is proved: they can only refuse, they say more about a
 * stray token than an unknown key would, and such tokens then don't make the provider be asked for new keys.
 */
export function checkClaims(token: CompactToken, expected: Expected, nowMs: number): TokenCheck[] {
  return [
    checkType(token),
    checkAlgorithm(token.algorithm),
    checkIssuer(token.claims.iss, expected.issuer),
    checkAudience(token.claims.aud, expected.audience),
    checkExpiry(token.claims.exp, nowMs),
    checkNotBefore(token.claims.nbf, nowMs),
    checkSubject(token.claims.sub)
  ]
}

/** A NumericDate in milliseconds; `undefined` for anything that is no date. */
export function toMs(numericDate: unknown): number | undefined {
  if (typeof numericDate !== 'number' || !(Math.abs(numericDate * 1000) <= MAX_DATE_MS)) return undefined
  return Math.trunc(numericDate * 1000)
}

function checkAlgorithm(algorithm: string): TokenCheck {
  if (isAllowed(algorithm)) return passed('algorithm', `Signed with ${algorithm}.`)
  return failed('algorithm', `The algorithm ${quoted(algorithm)} is not accepted; sign with RS, PS, ES or EdDSA.`)
}

function checkIssuer(issuer: unknown, expected: string | undefined): TokenCheck {
  if (typeof issuer !== 'string' || issuer === '') return failed('issuer', 'The token names no issuer (iss).')
  if (expected === undefined || issuer === expected) return passed('issuer', `Issued by ${quoted(issuer)}.`)
  return failed('issuer', `The token is from ${quoted(issuer)}; get one from ${quoted(expected)}.`)
}

function checkAudience(audience: unknown, expected: string | undefined): TokenCheck {
  const audiences = [audience].flat().filter((value) => typeof value === 'string' && value !== '') as string[]
  const list = audiences.slice(0, 5).map(quoted).join(', ')
  if (audiences.length === 0) return failed('audience', 'The token names no audience (aud); ask the provider for one.')
  if (expected === undefined || audiences.includes(expected)) return passed('audience', `Meant for ${list}.`)
  return failed('audience', `The token is meant for ${list}; ask the provider for one for ${quoted(expected)}.`)
}

function checkExpiry(exp: unknown, nowMs: number): TokenCheck {
  const expiresAtMs = toMs(exp)
  if (expiresAtMs === undefined) return failed('expired', 'The token has no valid time of expiry (exp); get another.')
  if (nowMs < expiresAtMs + LEEWAY_MS) return passed('expired', `Expires at ${toIso(expiresAtMs)}.`)
  return failed('expired', `The token expired at ${toIso(expiresAtMs)}; it is ${toIso(nowMs)} now. Get a new one.`)
}

function checkNotBefore(nbf: unknown, nowMs: number): TokenCheck {
  if (nbf === undefined) return passed('not_yet_valid', 'Valid from the start (no nbf).')
  const notBeforeMs = toMs(nbf)
  if (notBeforeMs === undefined) return failed('not_yet_valid', 'The time the token is valid from (nbf) is no time.')
  if (notBeforeMs <= nowMs + LEEWAY_MS) return passed('not_yet_valid', `Valid since ${toIso(notBeforeMs)}.`)
  const message = `The token is valid from ${toIso(notBeforeMs)}; it is ${toIso(nowMs)} now. Wait, or set the clocks.`
  return failed('not_yet_valid', message)
}

function checkSubject(subject: unknown): TokenCheck {
  if (typeof subject !== 'string' || subject === '') return failed('subject', 'The token names no subject (sub).')
  // No database keeps such text as it is, so that two subjects could become one user.
  if (subject.includes('\0') || !subject.isWellFormed())
    return failed('subject', 'The subject (sub) of the token is not plain text; have the provider mend it.')
  if (subject.length <= MAX_SUBJECT_CHARACTERS) return passed('subject', `Speaks for ${quoted(subject)}.`)
  return failed('subject', `The subject (sub) of the token is longer than ${MAX_SUBJECT_CHARACTERS} characters.`)
}

function passed(name: CheckName, message: string): TokenCheck {
  return { name, ok: true, message }
}

function failed(name: CheckName, message: string): TokenCheck {
  return { name, ok: false, message }
}
