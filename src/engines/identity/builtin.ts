import { createPublicKey, randomUUID } from 'node:crypto'
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { SignJWT } from 'jose/jwt/sign'
import type { Clock } from '../clock.ts'
import { privateKeyFromSeed } from '../ed25519.ts'
import type { Identity, Role } from './index.ts'
import { readKeySet } from './key-set.ts'
import { createVerifier } from './verifier.ts'

export interface TokenRequest {
  readonly subject: string
  readonly name?: string | undefined
  readonly roles: readonly Role[]
  readonly ttlMs: number
}

/** Issues tokens and accepts only its own, for platforms without an outside provider. */
export interface BuiltinIdentity extends Identity {
  /** An access token as RFC 9068 has it, valid from now on. */
  issue(request: TokenRequest): Promise<string>
  /** The public key, for `/.well-known/jwks.json`. */
  jwks(): { keys: JWK[] }
}

export interface BuiltinOptions {
  /** 32 secret bytes. The key is made of these alone, so replicas with the same seed accept each other's tokens. */
  readonly seed: Buffer
  readonly issuer: string
  readonly audience: string
  readonly clock: Clock
}

const SEED_BYTES = 32

export async function createBuiltinIdentity(options: BuiltinOptions): Promise<BuiltinIdentity> {
  const { seed, issuer, audience, clock } = options
  if (seed.length !== SEED_BYTES) throw new RangeError(`The seed of the built-in issuer must be ${SEED_BYTES} bytes`)
  const privateKey = privateKeyFromSeed(seed)
  const material = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK
  const kid = await calculateJwkThumbprint(material)
  const publicJwk: JWK = { ...material, kid, alg: 'EdDSA', use: 'sig' }
  const set = await readKeySet({ keys: [publicJwk] })
  const keys = { held: () => set, fetch: async () => set, newer: async () => undefined }
  const verifier = createVerifier({ keys, expected: { issuer, audience }, clock })

  return {
    known: verifier.known,
    verify: verifier.verify,
    explain: verifier.explain,
    issue({ subject, name, roles, ttlMs }) {
      const nowS = Math.floor(clock.now() / 1000)
      return new SignJWT({ client_id: 'millrace', roles: [...roles], ...(name === undefined ? {} : { name }) })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt(nowS)
        .setNotBefore(nowS)
        .setExpirationTime(Math.floor((clock.now() + ttlMs) / 1000))
        .setJti(randomUUID())
        .sign(privateKey)
    },
    jwks: () => ({ keys: [{ ...publicJwk }] }),
    check: async () => undefined,
    close: async () => verifier.forget()
  }
}
