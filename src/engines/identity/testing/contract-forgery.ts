import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { SignJWT } from 'jose'
import { makeSigningKey, type SigningKey, signToken } from '../../../../test/support/oidc-provider.ts'
import { TokenRefused } from '../index.ts'
import { encode, encodeText, goodClaims, refused, type Subject, signed } from './contract-support.ts'

/**
 * No implementation of `Identity` accepts what its issuer did not sign, or fails in another way than by refusing it.
 */
export function forgeryContract(setup: () => Promise<Subject>): void {
  test('refuses none and HMAC, whatever serves as the secret', async () => {
    const subject = await setup()
    const claims = goodClaims(subject)
    const unsigned = [{ alg: 'none', typ: 'at+jwt', kid: subject.key.kid }, claims].map(encode).join('.')
    await refused(subject.identity, `${unsigned}.`, 'algorithm')
    for (const secret of publicKeyAsSecrets(subject.key)) {
      const header = { alg: 'HS256', typ: 'at+jwt', kid: subject.key.kid }
      await refused(subject.identity, await new SignJWT(claims).setProtectedHeader(header).sign(secret), 'algorithm')
    }
    for (const alg of ['HS512', 'NONE', 'rs256', 'RSA-OAEP', 'constructor', '__proto__']) {
      await refused(subject.identity, `${[{ alg }, claims].map(encode).join('.')}.AAAA`, 'algorithm')
    }
  })

  test('refuses a token of a stranger: under his key, under the trusted kid, and with his key brought along', async () => {
    const subject = await setup()
    const stranger = await makeSigningKey(subject.key.algorithm)
    const claims = goodClaims(subject)
    const brought = { kid: subject.key.kid, jwk: stranger.publicJwk, jku: 'http://127.0.0.1:1/jwks' }
    await refused(subject.identity, await signToken(stranger, claims), 'key')
    await refused(subject.identity, await signToken(stranger, claims, { kid: subject.key.kid }), 'signature')
    await refused(subject.identity, await signToken(stranger, claims, brought), 'signature')
    await refused(subject.identity, await signToken(stranger, claims, { kid: undefined }), 'signature')
  })

  test('refuses a token for an algorithm that its key is not for', async () => {
    const subject = await setup()
    const other = await makeSigningKey(subject.key.algorithm === 'ES256' ? 'EdDSA' : 'ES256', subject.key.kid)
    await refused(subject.identity, await signToken(other, goodClaims(subject)), 'algorithm')
  })

  test('needs no kid while one key fits', async () => {
    const subject = await setup()
    assert.ok(await subject.identity.verify(await signed(subject, {}, { kid: undefined })))
  })

  test('refuses altered parts', async () => {
    const subject = await setup()
    const [header, , signature] = (await signed(subject)).split('.')
    const payload = encode({ ...goodClaims(subject), roles: ['admin'] })
    await refused(subject.identity, `${header}.${payload}.${signature}`, 'signature')
    const [, payloadBefore, other] = (await signed(subject, { jti: '2' })).split('.')
    await refused(subject.identity, `${header}.${payloadBefore}.${signature}`, 'signature')
    await refused(subject.identity, `${header}.${payloadBefore}.`, 'signature')
    assert.ok(await subject.identity.verify(`${header}.${payloadBefore}.${other}`))
  })

  test('refuses a single changed character anywhere', async () => {
    const subject = await setup()
    const token = await signed(subject)
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= \0\u00e9'
    const anywhere = fc.nat(token.length - 1)
    const change = fc.tuple(fc.oneof(anywhere, fc.constant(token.length - 1)), fc.constantFrom(...characters))
    const changed = change.filter(([at, character]) => token[at] !== character)
    const property = fc.asyncProperty(changed, async ([at, character]) => {
      const altered = token.slice(0, at) + character + token.slice(at + 1)
      await assert.rejects(subject.identity.verify(altered), TokenRefused)
    })
    await fc.assert(property, { numRuns: 400 })
    assert.ok(await subject.identity.verify(token))
  })

  test('refuses what is no token, without a word of it in the message', async () => {
    const subject = await setup()
    const good = await signed(subject)
    const garbage = ['', '.', '..', '...', 'hello', 'a.b.c', `${good}.`, ` ${good}`, `${good}\n`, `${good}.x.y`]
    const headers = [[], 'text', null, {}, { alg: 1 }, { alg: 'RS256', kid: 1 }, { alg: 'RS256', typ: {} }]
    const encoded = headers.map((header) => `${encode(header)}.${encode({})}.AAAA`)
    for (const token of [...garbage, ...encoded, `${encode({ alg: 'RS256' })}.${encode('text')}.AAAA`]) {
      await refused(subject.identity, token, 'format')
    }
    const error = await refused(subject.identity, `${good}!`, 'format')
    assert.ok(!error.message.includes(good.slice(0, 20)))
  })

  test('never fails in another way on arbitrary text', async () => {
    const { identity } = await setup()
    const part = fc.oneof(fc.string(), fc.json({ maxDepth: 2 }).map(encodeText), fc.base64String())
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.'))
    )
    const property = fc.asyncProperty(text, async (token) => {
      await assert.rejects(identity.verify(token), TokenRefused)
      assert.equal((await identity.explain(token)).length, 11)
    })
    await fc.assert(property, { numRuns: 300 })
  })

  test('refuses a token that is too long, and one with critical extensions', async () => {
    const subject = await setup()
    await refused(subject.identity, await signed(subject, { filling: 'x'.repeat(16 * 1024) }), 'format')
    await refused(subject.identity, 'x'.repeat(50_000_000), 'format')
    const [, payload] = (await signed(subject)).split('.')
    const header = { alg: subject.key.algorithm, kid: subject.key.kid, crit: ['exp'], exp: 1 }
    await refused(subject.identity, `${encode(header)}.${payload}.AAAA`, 'format')
  })
}

function publicKeyAsSecrets({ publicJwk }: SigningKey): Uint8Array[] {
  const key = createPublicKey({ format: 'jwk', key: publicJwk })
  const pem = key.export({ type: 'spki', format: 'pem' }) as string
  const der = key.export({ type: 'spki', format: 'der' })
  return [pem, pem.trimEnd(), JSON.stringify(publicJwk)].map((text) => new TextEncoder().encode(text)).concat(der)
}
