import { createPublicKey, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { fits, type KeyShape } from './algorithms.ts'
import { TokenRefused } from './index.ts'
import { quoted } from './quoted.ts'

export interface PublicKey {
  readonly keyId: string | undefined
  readonly thumbprint: string
  readonly shape: KeyShape
  /** The one algorithm that the provider reserves the key for, if it does. */
  readonly algorithm: string | undefined
  readonly key: KeyObject
}

export type KeySet = readonly PublicKey[]

const MAX_KEYS = 100
const MIN_RSA_BITS = 2048
const SHAPES: readonly unknown[] = ['RSA', 'P-256', 'P-384', 'P-521', 'Ed25519'] satisfies KeyShape[]

/**
 * The signing keys of a JWKS document; keys of other kinds and uses are left out. A document without any is more
 * likely a mistake of the provider than its wish to lock everyone out, so this throws, and the old keys stay.
 */
export async function readKeySet(document: unknown): Promise<KeySet> {
  const entries = (document as { keys?: unknown } | null)?.keys
  if (!Array.isArray(entries)) throw new Error('The key set of the identity provider is no JWKS document.')
  if (entries.length > MAX_KEYS) throw new Error(`The key set of the identity provider has over ${MAX_KEYS} keys.`)
  const keys = await Promise.all(entries.map(readKey))
  const usable = keys.filter((key) => key !== undefined)
  if (usable.length === 0) throw new Error('The key set of the identity provider holds no usable signing key.')
  return usable
}

async function readKey(entry: unknown): Promise<PublicKey | undefined> {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { kty, crv, kid, alg, use, key_ops: operations, n, e, x, y } = entry as Record<string, unknown>
  const shape = kty === 'RSA' ? kty : crv
  if (!SHAPES.includes(shape) || (use !== undefined && use !== 'sig')) return undefined
  if (Array.isArray(operations) && !operations.includes('verify')) return undefined
  let key: KeyObject
  try {
    key = createPublicKey({ format: 'jwk', key: { kty, crv, n, e, x, y } as JWK })
  } catch {
    return undefined
  }
  if (shape === 'RSA' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS) return undefined
  return {
    keyId: typeof kid === 'string' ? kid : undefined,
    thumbprint: await calculateJwkThumbprint(key.export({ format: 'jwk' }) as JWK),
    shape: shape as KeyShape,
    algorithm: typeof alg === 'string' ? alg : undefined,
    key
  }
}

/** Whether every key of `some` is in `all`, unchanged. */
export function isWithin(some: KeySet, all: KeySet): boolean {
  const identities = new Set(all.map(identity))
  return some.every((key) => identities.has(identity(key)))
}

function identity({ keyId, thumbprint, algorithm }: PublicKey): string {
  return JSON.stringify([keyId, thumbprint, algorithm])
}

/** The keys that may have signed a token of this algorithm and `kid`; throws `TokenRefused` where there are none. */
export function candidates(set: KeySet, algorithm: string, keyId: string | undefined): KeySet {
  const named = keyId === undefined ? set : set.filter((key) => key.keyId === keyId)
  const fitting = named.filter((key) => fits(algorithm, key.shape, key.algorithm))
  if (keyId === undefined && fitting.length !== 1) {
    const message = `The token names no key (kid) and ${fitting.length} keys fit; have the provider write the kid.`
    throw new TokenRefused('key', message)
  }
  if (named.length === 0) {
    const message = `The provider has no key ${quoted(keyId as string)}; get a new token from it.`
    throw new TokenRefused('key', message)
  }
  if (fitting.length === 0) {
    const message = `The key ${quoted(keyId as string)} is not for ${algorithm}; get a new token from the provider.`
    throw new TokenRefused('algorithm', message)
  }
  return fitting
}
