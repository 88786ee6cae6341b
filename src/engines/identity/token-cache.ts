import { BoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock.ts'
import { LEEWAY_MS } from './claim-checks.ts'
import type { VerifiedToken } from './index.ts'

const MAX_ENTRIES = 10_000

/** Verified tokens by their text, none past its expiry. When full, the one that came first makes room. */
export interface TokenCache {
  get(token: string): VerifiedToken | undefined
  set(token: string, verified: VerifiedToken): void
  clear(): void
}

export function createTokenCache(clock: Clock): TokenCache {
  const entries = new BoundedMap<string, VerifiedToken>(MAX_ENTRIES)
  return {
    get(token) {
      const verified = entries.get(token)
      if (verified === undefined || clock.now() < verified.expiresAtMs + LEEWAY_MS) return verified
      entries.delete(token)
      return undefined
    },
    set: (token, verified) => void entries.set(token, verified),
    clear: () => entries.clear()
  }
}
