import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { describe, test } from 'node:test'
import { calculateJwkThumbprint, createLocalJWKSet, decodeProtectedHeader, type JWK, jwtVerify } from 'jose'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { createBuiltinIdentity } from './builtin.ts'
import { claimsContract } from './testing/contract-claims.ts'
import { forgeryContract } from './testing/contract-forgery.ts'
import { refused, type Subject } from './testing/contract-support.ts'

const issuer = 'http://127.0.0.1:8080'
const audience = 'urn:millrace'
const seed = Buffer.alloc(32, 7)

async function setup() {
  const clock = new ManualClock('2026-11-01T12:00:00.500Z')
  return { clock, identity: await createBuiltinIdentity({ seed, issuer, audience, clock }) }
}

async function setupWithKey(): Promise<Subject> {
  const { clock, identity } = await setup()
  const [publicJwk] = identity.jwks().keys as [JWK]
  const d = seed.toString('base64url')
  const key = { kid: publicJwk.kid as string, algorithm: 'EdDSA', publicJwk, privateJwk: { ...publicJwk, d } } as const
  return { identity, issuer, audience, key, clock }
}

describe('the built-in identity keeps the contract', () => {
  claimsContract(setupWithKey)
  forgeryContract(setupWithKey)
})

test('issues access tokens as RFC 9068 has them, that others can verify by its key set', async () => {
  const { clock, identity } = await setup()
  const token = await identity.issue({ subject: 'ada', name: 'Ada', roles: ['editor'], ttlMs: 8 * 3_600_000 })
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(identity.jwks()), {
    typ: 'at+jwt',
    issuer,
    audience,
    currentDate: new Date(clock.now()),
    requiredClaims: ['jti', 'client_id', 'sub', 'iat', 'nbf', 'exp']
  })
  const nowS = Math.floor(clock.now() / 1000)
  assert.equal(protectedHeader.alg, 'EdDSA')
  assert.deepEqual([payload.iat, payload.nbf, payload.exp], [nowS, nowS, nowS + 8 * 3600])
  assert.deepEqual([payload.sub, payload.name, payload.roles], ['ada', 'Ada', ['editor']])
  const verified = await identity.verify(token)
  assert.deepEqual([verified.subject, verified.name, verified.roles], ['ada', 'Ada', ['editor']])
})

test('no two tokens are the same, and a name may be absent', async () => {
  const { identity } = await setup()
  const request = { subject: 'ada', roles: [], ttlMs: 60_000 }
  const [one, two] = [await identity.issue(request), await identity.issue(request)]
  assert.notEqual(one, two)
  assert.equal((await identity.verify(one)).name, undefined)
})

test('the key is made of the seed alone, and its kid is its thumbprint', async () => {
  const [first, again] = [(await setup()).identity, (await setup()).identity]
  const clock = new ManualClock('2026-11-01T12:00:00.500Z')
  const other = await createBuiltinIdentity({ seed: Buffer.alloc(32, 8), issuer, audience, clock })
  const [publicJwk] = first.jwks().keys as [JWK]
  assert.deepEqual(again.jwks(), first.jwks())
  assert.equal(publicJwk.kid, await calculateJwkThumbprint(publicJwk))
  assert.equal('d' in publicJwk, false)
  const token = await first.issue({ subject: 'ada', roles: ['viewer'], ttlMs: 60_000 })
  assert.equal(decodeProtectedHeader(token).kid, publicJwk.kid)
  assert.equal((await again.verify(token)).keyId, publicJwk.kid)
  await refused(other, token, 'key')
  // An independent reading of the seed: the same JWK as Node makes of its private form.
  const key = createPrivateKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', d: seed.toString('base64url'), x: publicJwk.x as string }
  })
  assert.equal(key.export({ format: 'jwk' }).x, publicJwk.x)
})

test('refuses a seed of another length, is always healthy, and forgets tokens when closed', async () => {
  const { clock, identity } = await setup()
  await assert.rejects(createBuiltinIdentity({ seed: Buffer.alloc(31), issuer, audience, clock }), /32 bytes/)
  await identity.check()
  const token = await identity.issue({ subject: 'ada', roles: [], ttlMs: 60_000 })
  await identity.verify(token)
  await identity.close()
  assert.equal(identity.known(token), undefined)
})
