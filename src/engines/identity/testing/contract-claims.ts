import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckName } from '../index.ts'
import { type Claims, refused, type Subject, signed } from './contract-support.ts'

const atS = (subject: Subject, offsetS: number) => Math.floor(subject.clock.now() / 1000) + offsetS

/** How every implementation of `Identity` has to treat the claims and the type of a well signed token. */
export function claimsContract(setup: () => Promise<Subject>): void {
  test('tells whom a good token speaks for, and knows it from then on', async () => {
    const subject = await setup()
    const nbf = atS(subject, -5)
    const claims = { name: 'Ada', email: 'ada@example.com', roles: ['admin', 'viewer'], nbf }
    const token = await signed(subject, claims)
    assert.equal(subject.identity.known(token), undefined)
    const verified = await subject.identity.verify(token)
    assert.deepEqual(verified, {
      issuer: subject.issuer,
      subject: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      roles: ['viewer', 'admin'],
      expiresAtMs: atS(subject, 300) * 1000,
      notBeforeMs: nbf * 1000,
      keyId: subject.key.kid
    })
    assert.equal(subject.identity.known(token), verified)
    assert.ok(Object.isFrozen(verified) && Object.isFrozen(verified.roles))
    const rows = await subject.identity.explain(token)
    assert.equal(rows.length, 11)
    assert.ok(rows.every(({ ok }) => ok))
  })

  const claimCases: [string, CheckName, (subject: Subject) => Claims][] = [
    ['expired more than 30 s ago', 'expired', (subject) => ({ exp: atS(subject, -30) })],
    ['without expiry', 'expired', () => ({ exp: undefined })],
    ['with text as expiry', 'expired', () => ({ exp: '2099-01-01' })],
    ['with an expiry beyond any date', 'expired', () => ({ exp: -1e300 })],
    ['valid in more than 30 s', 'not_yet_valid', (subject) => ({ nbf: atS(subject, 32) })],
    ['with text as nbf', 'not_yet_valid', () => ({ nbf: 'now' })],
    ['of another issuer', 'issuer', () => ({ iss: 'https://elsewhere.example/"\r\n\u00e9' })],
    ['of the issuer with a slash', 'issuer', (subject) => ({ iss: `${subject.issuer}/` })],
    ['without issuer', 'issuer', () => ({ iss: undefined })],
    ['with a list as issuer', 'issuer', (subject) => ({ iss: [subject.issuer] })],
    ['for another audience', 'audience', () => ({ aud: ['urn:other', 'urn:another'] })],
    ['without audience', 'audience', () => ({ aud: undefined })],
    ['without subject', 'subject', () => ({ sub: undefined })],
    ['with an empty subject', 'subject', () => ({ sub: '' })],
    ['with a number as subject', 'subject', () => ({ sub: 7 })],
    ['with an endless subject', 'subject', () => ({ sub: 'x'.repeat(256) })]
  ]
  for (const [name, check, claims] of claimCases) {
    test(`refuses a token ${name}`, async () => {
      const subject = await setup()
      await refused(subject.identity, await signed(subject, claims(subject)), check)
    })
  }

  test('allows 30 s of leeway, and any of several audiences', async () => {
    const subject = await setup()
    const edges = { exp: atS(subject, -29), nbf: atS(subject, 30), aud: ['urn:other', subject.audience] }
    assert.equal((await subject.identity.verify(await signed(subject, edges))).subject, 'ada')
  })

  test('a known token is known no longer once it has expired', async () => {
    const subject = await setup()
    const token = await signed(subject)
    const { expiresAtMs } = await subject.identity.verify(token)
    subject.clock.advance(expiresAtMs - subject.clock.now() + 29_999)
    assert.ok(subject.identity.known(token))
    subject.clock.advance(1)
    await refused(subject.identity, token, 'expired')
  })

  const idTokens: Claims[] = [{ nonce: 'n' }, { at_hash: 'h' }, { c_hash: 'h' }, { typ: 'ID' }, { token_use: 'id' }]
  for (const claims of idTokens) {
    test(`refuses an ID token told by ${JSON.stringify(claims)}`, async () => {
      const subject = await setup()
      await refused(subject.identity, await signed(subject, claims, { typ: 'JWT' }), 'type')
      await refused(subject.identity, await signed(subject, claims, { typ: undefined }), 'type')
    })
  }

  test('refuses an ID token that nothing gives away but its audience, the client', async () => {
    const subject = await setup()
    await refused(subject.identity, await signed(subject, { aud: 'svc' }, { typ: 'JWT' }), 'audience')
  })

  test('accepts the types that access tokens have, and no other', async () => {
    const subject = await setup()
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', undefined]) {
      assert.ok(await subject.identity.verify(await signed(subject, {}, { typ })))
    }
    assert.ok(await subject.identity.verify(await signed(subject, { typ: 'Bearer', nonce: 'n' }, { typ: 'JWT' })))
    for (const typ of ['logout+jwt', 'dpop+jwt', 'id_token', '']) {
      await refused(subject.identity, await signed(subject, {}, { typ }), 'type')
    }
  })

  test('several verifications of one token share one answer', async () => {
    const subject = await setup()
    const token = await signed(subject)
    const answers = await Promise.all([1, 2, 3].map(() => subject.identity.verify(token)))
    assert.equal(new Set(answers).size, 1)
  })
}
