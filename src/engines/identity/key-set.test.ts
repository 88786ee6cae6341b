import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import type { JWK } from 'jose'
import { makeSigningKey } from '../../../test/support/oidc-provider.ts'
import { candidates, readKeySet } from './key-set.ts'

const rsa = (await makeSigningKey('RS256', 'rsa')).publicJwk
const ec = (await makeSigningKey('ES256', 'ec')).publicJwk
const ed = (await makeSigningKey('EdDSA', 'ed')).publicJwk

function without(jwk: JWK, ...members: string[]): JWK {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => !members.includes(name))) as JWK
}

test('leaves out keys for other uses, of other kinds, weak or broken', async () => {
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
  const x25519 = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })
  const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey.export({ format: 'jwk' })
  const others = [
    { ...rsa, use: 'enc' },
    { ...rsa, key_ops: ['encrypt'] },
    { ...ec, x: 'AAAA' },
    { kty: 'oct', k: 'c2VjcmV0' },
    weak,
    x25519,
    secp256k1
  ]
  const set = await readKeySet({ keys: [...others, ed, without(rsa, 'use', 'kid', 'alg')] })
  assert.deepEqual(
    set.map(({ keyId, shape, algorithm }) => [keyId, shape, algorithm]),
    [
      ['ed', 'Ed25519', 'EdDSA'],
      [undefined, 'RSA', undefined]
    ]
  )
})

test('a key set that gives away private keys yields public ones all the same', async () => {
  const [key] = await readKeySet({ keys: [(await makeSigningKey('ES384')).privateJwk] })
  assert.equal(key?.key.type, 'public')
})

test('offers a key only for algorithms of its kind, and for the one it is reserved for', async () => {
  const set = await readKeySet({ keys: [rsa, without(rsa, 'alg'), ec, ed].map((jwk, n) => ({ ...jwk, kid: `${n}` })) })
  const allowed = (keyId: string, algorithm: string) => {
    try {
      return candidates(set, algorithm, keyId).length === 1
    } catch (error) {
      assert.equal((error as { check?: unknown }).check, 'algorithm')
      return false
    }
  }
  const algorithms = ['RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519', 'HS256', 'none']
  const offered = ['0', '1', '2', '3'].map((keyId) => algorithms.filter((algorithm) => allowed(keyId, algorithm)))
  assert.deepEqual(offered, [['RS256'], ['RS256', 'RS512', 'PS256'], ['ES256'], ['EdDSA', 'Ed25519']])
})

test('a token without kid must leave one choice', async () => {
  const set = await readKeySet({ keys: [rsa, ec, (await makeSigningKey('ES256')).publicJwk] })
  assert.equal(candidates(set, 'RS256', undefined)[0]?.keyId, 'rsa')
  assert.throws(() => candidates(set, 'ES256', undefined), { check: 'key' })
  assert.throws(() => candidates(set, 'EdDSA', undefined), { check: 'key' })
  assert.throws(() => candidates(set, 'RS256', ''), { check: 'key' })
})
