import { type Identity, TokenRefused, type VerifiedToken } from '../engines/identity/index.ts'
import { Problem } from '../errors.ts'
import { refusedToken } from './authenticate.ts'
import type { Actor } from './permissions.ts'

interface Users {
  seen(token: VerifiedToken): Promise<Actor>
}

interface ApiKeys {
  authenticate(key: string): Promise<Actor>
}

/**
 * Finds out who a bearer token speaks for: an API key is known by its prefix, any other token goes to the identity
 * provider.
 */
export function resolveCaller(identity: Identity, users: Users, apiKeys: ApiKeys): (token: string) => Promise<Actor> {
  return async (token) => {
    if (token.startsWith('mr_')) return apiKeys.authenticate(token)
    try {
      return await users.seen(identity.known(token) ?? (await identity.verify(token)))
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
      if (error.check === 'provider') {
        throw new Problem('dependency_unavailable', {
          detail: error.message,
          cause: error,
          headers: { 'retry-after': '5' }
        })
      }
      throw refusedToken(error.check, error.message)
    }
  }
}
