import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { startOidcProvider, type TestOidcProvider } from '../../../test/support/oidc-provider.ts'
import { createOidcIdentity } from './oidc.ts'
import { claimsContract } from './testing/contract-claims.ts'
import { forgeryContract } from './testing/contract-forgery.ts'
import { refused, type Subject } from './testing/contract-support.ts'

let provider: TestOidcProvider

before(async () => {
  provider = await startOidcProvider()
})
after(() => provider.stop())

function setup(rolesClaim?: string) {
  const clock = new ManualClock(new Date().toISOString())
  const { issuer, audience } = provider
  const identity = createOidcIdentity({ issuer, audience, rolesClaim, clock })
  const before = provider.jwksRequests()
  return { clock, identity, asked: () => provider.jwksRequests() - before }
}

describe('an outside provider keeps the contract', () => {
  async function setupWithKey(): Promise<Subject> {
    return { ...setup(), issuer: provider.issuer, audience: provider.audience, key: provider.key() }
  }
  claimsContract(setupWithKey)
  forgeryContract(setupWithKey)
})

test('verifies what the provider issues, with the roles it gives', async () => {
  const { identity, asked } = setup()
  const token = await provider.token({ sub: 'ada', preferred_username: 'ada.l', roles: ['millrace-editor', 'other'] })
  const verified = await identity.verify(token)
  assert.deepEqual([verified.subject, verified.name, verified.roles], ['ada', 'ada.l', ['editor']])
  await identity.verify(await provider.token())
  assert.equal(asked(), 1)
})

test('reads the roles from the configured claim only', async () => {
  const { identity } = setup('resource_access.millrace.roles')
  const claims = { roles: ['admin'], resource_access: { millrace: { roles: ['viewer'] } } }
  assert.deepEqual((await identity.verify(await provider.token(claims))).roles, ['viewer'])
  assert.deepEqual((await identity.verify(await provider.token({ roles: ['admin'] }))).roles, [])
})

test('is told the keys by address instead, with or without issuer and audience', async () => {
  const clock = new ManualClock(new Date().toISOString())
  const { jwksUrl, audience } = provider
  const lax = createOidcIdentity({ jwksUrl, clock })
  assert.ok(await lax.verify(await provider.sign({ iss: 'any', aud: 'any' })))
  await refused(lax, await provider.sign({ iss: undefined }), 'issuer')
  await refused(lax, await provider.sign({ aud: [] }), 'audience')
  const strict = createOidcIdentity({ jwksUrl, audience, issuer: 'https://login.example', clock })
  assert.ok(await strict.verify(await provider.sign({ iss: 'https://login.example' })))
  await refused(strict, await provider.token(), 'issuer')
})

for (const algorithm of ['ES256', 'ES512', 'EdDSA', 'PS256', 'RS256'] as const) {
  test(`picks up a rotated ${algorithm} key with the first token that names it`, async () => {
    const { identity, asked } = setup()
    const old = await provider.token()
    await identity.verify(old)
    await provider.rotate({ algorithm })
    const token = await provider.token()
    assert.equal((await identity.verify(token)).keyId, provider.key().kid)
    assert.equal(asked(), 2)
    assert.equal(identity.known(old), undefined, 'tokens of the withdrawn key are forgotten')
    await refused(identity, old, 'key')
  })
}

test('picks up another key under the same kid', async () => {
  const { clock, identity, asked } = setup()
  const old = await provider.token()
  await identity.verify(old)
  for (const algorithm of ['RS256', 'ES256', 'RS256'] as const) {
    await provider.rotate({ kid: provider.key().kid, algorithm })
    assert.ok(await identity.verify(await provider.token()))
    assert.equal(identity.known(old), undefined)
    clock.advance(30_000)
  }
  assert.equal(asked(), 4)
})

test('asks for new keys once in 30 s, however many tokens name unknown ones', async () => {
  const { clock, identity, asked } = setup()
  await identity.verify(await provider.token())
  const unknown = await Promise.all([1, 2, 3, 4].map((n) => provider.sign({ jti: `${n}` }, { kid: `unknown-${n}` })))
  await Promise.all(unknown.map((token) => assert.rejects(identity.verify(token), { check: 'key' })))
  assert.equal(asked(), 2)
  clock.advance(29_999)
  await refused(identity, unknown[0] as string, 'key')
  assert.equal(asked(), 2)
  clock.advance(1)
  await refused(identity, unknown[0] as string, 'key')
  assert.equal(asked(), 3)
})

test('forged signatures make it ask no oftener', async () => {
  const { identity, asked } = setup()
  await identity.verify(await provider.token())
  for (const jti of ['1', '2', '3']) {
    const [header, , signature] = (await provider.sign({ jti })).split('.')
    const [, payload] = (await provider.sign({ roles: 'admin' })).split('.')
    await refused(identity, `${header}.${payload}.${signature}`, 'signature')
  }
  assert.equal(asked(), 2)
})

test('an unknown key in the very first token makes it ask once, not twice', async () => {
  const { identity, asked } = setup()
  await assert.rejects(identity.verify(await provider.sign({}, { kid: 'unknown' })), { check: 'key' })
  assert.equal(asked(), 1)
})

test('stray tokens do not make it ask at all', async () => {
  const { identity, asked } = setup()
  const stray = await provider.sign({ iss: 'https://elsewhere.example' }, { kid: 'theirs' })
  await assert.rejects(identity.verify(stray), { check: 'issuer' })
  await assert.rejects(identity.verify('garbage'), { check: 'format' })
  assert.equal(asked(), 0)
})

test('the last good keys serve while the provider is down, for as long as it is', async () => {
  const { clock, identity } = setup()
  const [first, second, third] = [await provider.token(), await provider.token(), await provider.token()]
  await identity.verify(first)
  await provider.stop()
  try {
    assert.ok(await identity.verify(second))
    const unknown = await provider.sign({}, { kid: 'unknown' })
    await refused(identity, unknown, 'key')
    clock.advance(3 * 60_000)
    assert.ok(await identity.verify(third))
    clock.advance(8 * 60_000)
    const later = await provider.sign({ exp: Math.floor(clock.now() / 1000) + 60 })
    assert.ok(await identity.verify(later))
    await assert.rejects(identity.check(), /ECONNREFUSED.* serve on/)
  } finally {
    await provider.restart()
  }
  clock.advance(30_000)
  await identity.check()
})

test('a provider that was never reached: refused as such, mended without a restart', async () => {
  const { clock, identity, asked } = setup()
  const token = await provider.token()
  await provider.stop()
  try {
    await identity.warm()
    const error = await refused(identity, token, 'provider')
    assert.doesNotMatch(error.message, /127\.0\.0\.1/, 'senders are not told addresses')
    const row = (await identity.explain(token)).find(({ name }) => name === 'provider')
    assert.match(row?.message ?? '', /127\.0\.0\.1.*ECONNREFUSED/)
    await assert.rejects(identity.check(), /ECONNREFUSED.*No token can be verified/)
  } finally {
    await provider.restart()
  }
  await refused(identity, token, 'provider')
  assert.equal(asked(), 0, 'it rests after a failure')
  clock.advance(30_000)
  assert.ok(await identity.verify(token))
  await identity.check()
  assert.equal(asked(), 1)
})

test('known tokens keep the keys fresh: a withdrawn key ends them', async () => {
  const { clock, identity, asked } = setup()
  const token = await provider.sign({ exp: Math.floor(Date.now() / 1000) + 3600 })
  await identity.verify(token)
  await provider.rotate()
  clock.advance(10 * 60_000 - 1)
  assert.ok(identity.known(token))
  assert.equal(asked(), 1)
  clock.advance(1)
  assert.ok(identity.known(token), 'nobody waits for the renewal')
  await eventually(() => identity.known(token) === undefined)
  assert.equal(asked(), 2)
})

test('does not start asking before the first need, and tells a bad address at once', async () => {
  const clock = new ManualClock()
  const port = await freePort()
  const identity = createOidcIdentity({ issuer: `http://127.0.0.1:${port}`, audience: 'a', clock })
  assert.equal(identity.known('x'), undefined)
  await identity.close()
  assert.throws(() => createOidcIdentity({ issuer: 'login.example', audience: 'a', clock }), /Invalid URL/)
  assert.throws(() => createOidcIdentity({ jwksUrl: '/jwks', clock }), /Invalid URL/)
})
