import type { Clock } from '../engines/clock.ts'
import { Known } from '../engines/known.ts'
import { type Bearer, Problem } from '../errors.ts'
import type { Actor } from './permissions.ts'

/** Finds out who a token speaks for; throws a `Problem` (401) where it speaks for nobody. */
export interface Authenticator {
  /** The caller, where this token was accepted within the last second. */
  known(token: string): Actor | undefined
  authenticate(token: string): Promise<Actor>
  /** The caller, where this API key was accepted within the last 15 minutes: for while the database does not answer. */
  lately(token: string): Actor | undefined
  /** Forgets all known tokens, so that a revoked key or a disabled user is refused from the next request on. */
  forget(): void
}

/** How long an answer may be used without asking again: the bound on how late another replica hears of a revocation. */
const KNOWN_FOR_MS = 1000
const LATELY_MS = 15 * 60_000
const MAX_KNOWN = 10_000

export function createAuthenticator(resolve: (token: string) => Promise<Actor>, clock: Clock): Authenticator {
  const known = new Known<Actor>(clock, MAX_KNOWN)
  // Many requests of one caller come at once, and each would ask whenever the answer is a second old.
  const asked = new Map<string, { readonly answer: Promise<Actor>; readonly sinceMs: number }>()
  const ask = async (token: string): Promise<Actor> => {
    const other = asked.get(token)
    if (other !== undefined && clock.elapsed() < other.sinceMs + KNOWN_FOR_MS) return other.answer
    const own = { answer: known.ask(token, () => resolve(token)), sinceMs: clock.elapsed() }
    asked.set(token, own)
    try {
      return await own.answer
    } finally {
      if (asked.get(token) === own) asked.delete(token)
    }
  }
  return {
    known: (token) => known.get(token, KNOWN_FOR_MS),
    lately(token) {
      const actor = known.get(token, LATELY_MS)
      if (actor?.apiKeyId === undefined) return undefined
      const isExpired = actor.expiresAt !== undefined && actor.expiresAt <= clock.iso()
      return isExpired ? undefined : actor
    },
    authenticate: (token) =>
      ask(token).catch((error) => {
        if (error instanceof Problem && error.status === 401) known.delete(token)
        throw error
      }),
    forget() {
      asked.clear()
      known.forget()
    }
  }
}

export function missingToken(): Problem {
  return new Problem('authentication_required', { headers: { 'www-authenticate': 'Bearer' } })
}

/**
 * `check` names the check that failed: it stands in the answer, and the header explains it. `bearer` is for the audit
 * trail.
 */
export function refusedToken(check: string, detail: string, bearer?: Bearer): Problem {
  const description = detail.replace(/[^\x20-\x7e]|["\\]/g, ' ')
  return new Problem('invalid_token', {
    detail,
    members: { check },
    bearer,
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${description}"` }
  })
}

const BEARER = 'Bearer '

/** The token of a request, or undefined where it carries none. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined
  // As nearly everybody writes it, without taking it apart.
  if (header.startsWith(BEARER) && header.length > BEARER.length && !header.includes(' ', BEARER.length)) {
    return header.slice(BEARER.length)
  }
  const [scheme = '', token = '', ...rest] = header.split(' ')
  if (scheme.toLowerCase() !== 'bearer' || token === '' || rest.length > 0) {
    throw refusedToken('format', 'The Authorization header must have the form "Bearer <token>".')
  }
  return token
}
