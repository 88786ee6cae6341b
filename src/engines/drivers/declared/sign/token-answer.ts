import { SourceError } from '../../errors.ts'
import type { Answer } from '../outgoing.ts'
import { memberOf } from '../template/template.ts'
import type { Token } from './account.ts'
import { type TokenPointers, tokenRefusal } from './token-errors.ts'
import { requireHeaderText } from './values.ts'

const SPARE_MS = 60_000
const MAX_LIFE_S = 10 * 365 * 86_400

/** The access token in an answer of OAuth 2; throws why there is none. */
export function accessTokenIn(answer: Answer, nowMs: number, pointers: TokenPointers): Token {
  const text = answer.status < 300 ? memberOf(answer.body, ['access_token']) : undefined
  if (typeof text !== 'string' || text === '') throw tokenRefusal(answer, 'token', pointers)
  return tokenFor(text, memberOf(answer.body, ['expires_in']), nowMs)
}

/** A token that is good for so many seconds, as far as that is said; it is left alone in its last minute. */
export function tokenFor(text: string, seconds: unknown, nowMs: number): Token {
  requireToken(text)
  const lifeS = typeof seconds === 'string' ? Number(seconds) : seconds
  if (typeof lifeS !== 'number' || !(lifeS > 0)) return { text, endsMs: undefined }
  const lifeMs = Math.min(lifeS, MAX_LIFE_S) * 1000
  return { text, endsMs: nowMs + lifeMs - Math.min(SPARE_MS, lifeMs / 10) }
}

/** A token goes into a header, and nothing that a service says may become another one. */
function requireToken(text: string): void {
  try {
    requireHeaderText(text, undefined)
  } catch {
    throw new SourceError('unavailable', 'The service gave a token that can’t be sent in a header')
  }
}
