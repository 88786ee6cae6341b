import { JOSEError } from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import type { Clock } from '../clock.ts'
import { checkClaims, type Expected, toMs } from './claim-checks.ts'
import { type CompactToken, parseToken } from './compact-token.ts'
import { explainToken } from './explain.ts'
import { type Identity, TokenRefused, type VerifiedToken } from './index.ts'
import { candidates, type KeySet, type PublicKey } from './key-set.ts'
import { readRoles } from './roles.ts'
import { createTokenCache } from './token-cache.ts'

/** A source of keys. It answers the same object until the keys change. */
export interface KeySource {
  /** The keys that are loaded, without waiting; old keys are renewed in the background. */
  held(): KeySet | undefined
  /** The loaded keys, or else the provider's; throws `TokenRefused` of check `provider` where there are none. */
  fetch(): Promise<KeySet>
  /** Asks the provider for other keys than these; `undefined` where it has none or must not be asked again yet. */
  newer(than: KeySet): Promise<KeySet | undefined>
}

export interface Verifier extends Pick<Identity, 'known' | 'verify' | 'explain'> {
  /** Forgets every token, because the provider has withdrawn a key that signed some of them. */
  forget(): void
}

export interface VerifierOptions {
  readonly keys: KeySource
  readonly expected: Expected
  readonly rolesClaim?: string | undefined
  readonly clock: Clock
}

export function createVerifier({ keys, expected, rolesClaim, clock }: VerifierOptions): Verifier {
  const cache = createTokenCache(clock)
  const pending = new Map<string, Promise<VerifiedToken>>()

  function known(text: string): VerifiedToken | undefined {
    // This call also renews old keys: otherwise tokens of a withdrawn key would be accepted from the cache until they
    // expire.
    keys.held()
    return cache.get(text)
  }

  async function verifyAnew(text: string): Promise<VerifiedToken> {
    const token = parseToken(text)
    const failed = checkClaims(token, expected, clock.now()).find(({ ok }) => !ok)
    if (failed !== undefined) throw new TokenRefused(failed.name, failed.message)
    const { key, set } = await prove(keys, token)
    const verified = describe(token, key, rolesClaim)
    // The keys may have changed, and the cache been emptied, while the signature was checked.
    if (keys.held() === set) cache.set(text, verified)
    return verified
  }

  return {
    known,
    async verify(text) {
      const found = known(text) ?? pending.get(text)
      if (found !== undefined) return found
      const verification = verifyAnew(text).finally(() => pending.delete(text))
      pending.set(text, verification)
      return verification
    },
    explain: (text) => explainToken(text, expected, clock.now(), (token) => prove(keys, token)),
    forget: () => cache.clear()
  }
}

interface Proof {
  readonly key: PublicKey
  readonly set: KeySet
}

/**
 * Any failure may be due to keys that changed since they were fetched, even a bad signature: some providers put a new
 * key under the old `kid`. So each is tried once more with newer keys, where there are any.
 */
async function prove(keys: KeySource, token: CompactToken): Promise<Proof> {
  const held = keys.held()
  const set = held ?? (await keys.fetch())
  try {
    return await signer(set, token)
  } catch (error) {
    const newer = error instanceof TokenRefused && held !== undefined ? await keys.newer(set) : undefined
    if (newer === undefined) throw error
    return signer(newer, token)
  }
}

async function signer(set: KeySet, { text, algorithm, keyId }: CompactToken): Promise<Proof> {
  for (const key of candidates(set, algorithm, keyId)) {
    try {
      await compactVerify(text, key.key, { algorithms: [algorithm] })
      return { key, set }
    } catch (error) {
      if (!(error instanceof JOSEError)) throw error
    }
  }
  throw new TokenRefused('signature', 'The signature does not fit; the token was altered, or its key was replaced.')
}

function describe({ claims }: CompactToken, key: PublicKey, rolesClaim: string | undefined): VerifiedToken {
  const notBeforeMs = toMs(claims.nbf)
  return Object.freeze({
    issuer: claims.iss as string,
    subject: claims.sub as string,
    name: text(claims.name) ?? text(claims.preferred_username),
    email: text(claims.email),
    roles: readRoles(claims, rolesClaim),
    expiresAtMs: toMs(claims.exp) as number,
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
    keyId: key.keyId ?? key.thumbprint
  })
}

function text(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}
