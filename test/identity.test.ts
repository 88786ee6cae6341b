// Once: tokens and their refusals; who is found in the database is the users area's.
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { SignJWT } from 'jose'
import type { CheckName } from '../src/engines/identity/index.ts'
import { type Answer, startTestApp, type TestApp } from './support/app.ts'
import { freePort } from './support/free-port.ts'
import { ManualClock } from './support/manual-clock.ts'
import { makeSigningKey, startOidcProvider, type TestOidcProvider } from './support/oidc-provider.ts'
import { openIntruder } from './support/tamper.ts'

// The provider goes by the machine's time, so the platform starts there too; its own time moves when told to.
const clock = new ManualClock(new Date().toISOString())
let provider: TestOidcProvider
let test: TestApp

before(async () => {
  provider = await startOidcProvider()
  test = await startTestApp({ clock, env: { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: provider.audience } })
})
after(async () => {
  await test.close()
  await provider.stop()
})

const nowS = () => Math.floor(clock.now() / 1000)
const me = (token: string) => test.call('GET', '/api/users/me', { as: { token } })
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token that outlives every test, of somebody who may look into the audit trail. */
const admin = async () => ({ token: await provider.sign({ sub: 'root', roles: ['admin'], exp: nowS() + 3600 }) })

async function signInsRefused(): Promise<Record<string, unknown>[]> {
  const { body } = await test.call('GET', '/api/audit/logs?action=sign-in&limit=1000', { as: await admin() })
  return body.logs
}

/** The whole of what a caller is told, and of what is left in the audit trail. */
async function assertRefused(token: string, check: CheckName, detail: RegExp): Promise<void> {
  const before = (await signInsRefused()).length
  const { status, body, headers } = await me(token)
  assert.deepEqual([status, body.code, body.check], [401, 'invalid_token', check])
  assert.match(body.detail, detail)
  assert.equal(body.type, '/api/docs/errors/invalid_token')
  assert.equal(headers.get('content-type'), 'application/problem+json')
  assert.equal(headers.get('www-authenticate'), `Bearer error="invalid_token", error_description="${body.detail}"`)

  const rows = await signInsRefused()
  assert.equal(rows.length, before + 1)
  const { user, outcome, status: audited, code, resourceType, requestId } = rows[0] ?? {}
  assert.deepEqual(
    { user, outcome, audited, code, resourceType, requestId },
    {
      user: null,
      outcome: 'refused',
      audited: 401,
      code: 'invalid_token',
      resourceType: 'token',
      requestId: body.requestId
    }
  )
  assert.ok(!JSON.stringify([rows[0], test.logged]).includes(token), 'nothing of the token is kept')
}

describe('a token of the provider', () => {
  it('makes its bearer a user with the roles it names', async () => {
    const token = await provider.token({
      sub: 'ada',
      name: 'Ada',
      email: 'ada@example.org',
      roles: ['editor', 'other']
    })
    const { status, body } = await me(token)
    assert.equal(status, 200)
    const { subject, name, email, roles } = body.user
    assert.deepEqual([subject, name, email, roles], ['ada', 'Ada', 'ada@example.org', ['editor']])
    assert.equal(body.role, 'editor')
    assert.equal((await test.call('GET', '/api/classification/levels', { as: { token } })).status, 200)
    assert.equal((await test.call('GET', '/api/audit/logs', { as: { token } })).status, 403)
  })

  it('without a role is good for telling who one is, and for nothing else', async () => {
    const token = await provider.token({ sub: 'bob' })
    const { status, body } = await me(token)
    assert.deepEqual([status, body.role, body.user.roles], [200, null, []])
    assert.deepEqual(body.permissions, ['api-keys:self', 'users:self'])
    const refused = await test.call('GET', '/api/classification/levels', { as: { token } })
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied'])
    assert.equal(refused.body.permission, 'classification:read')
    const query = `user=${body.user.id}&outcome=refused`
    const { logs } = (await test.call('GET', `/api/audit/logs?${query}`, { as: await admin() })).body
    assert.deepEqual([logs.length, logs[0].action, logs[0].status], [1, 'listClassificationLevels', 403])
  })

  it('brings news about a user that is known', async () => {
    await me(await provider.token({ sub: 'eve', email: 'old@example.org', roles: 'viewer' }))
    const { body } = await me(
      await provider.token({ sub: 'eve', email: 'new@example.org', realm_access: { roles: ['admin'] } })
    )
    assert.deepEqual([body.user.email, body.user.roles, body.user.version], ['new@example.org', ['admin'], 2])
    const query = `action=user.update&resourceId=${body.user.id}`
    const { logs } = (await test.call('GET', `/api/audit/logs?${query}`, { as: await admin() })).body
    assert.deepEqual(logs[0].changes, {
      email: { from: 'old@example.org', to: 'new@example.org' },
      roles: { from: ['viewer'], to: ['admin'] }
    })
  })
})

describe('no token', () => {
  it('is answered with a bare challenge', async () => {
    const { status, body, headers } = await test.call('GET', '/api/users/me')
    assert.deepEqual([status, body.code, body.check], [401, 'authentication_required', undefined])
    assert.equal(headers.get('www-authenticate'), 'Bearer')
    assert.equal((await signInsRefused())[0]?.code, 'authentication_required')
  })

  it('is told apart from a header of another form', async () => {
    for (const authorization of ['Basic dTpw', 'Bearer', 'Bearer a b', 'abc']) {
      const { status, body } = await test.call('GET', '/api/users/me', { headers: { authorization } })
      assert.deepEqual([status, body.code, body.check], [401, 'invalid_token', 'format'], authorization)
    }
  })
})

describe('a token is refused', () => {
  it('when it has expired, or is not valid yet, by more than the clocks may differ', async () => {
    await assertRefused(await provider.sign({ exp: nowS() - 31 }), 'expired', /^The token expired at 20/)
    await assertRefused(await provider.sign({ exp: undefined }), 'expired', /no valid time of expiry/)
    await assertRefused(await provider.sign({ nbf: nowS() + 32 }), 'not_yet_valid', /^The token is valid from 20/)
    assert.equal((await me(await provider.sign({ exp: nowS() - 28, nbf: nowS() + 28 }))).status, 200)
  })

  it('when it is from or for somebody else', async () => {
    await assertRefused(await provider.sign({ iss: 'https://else.example' }), 'issuer', /https:\/\/else\.example/)
    await assertRefused(await provider.sign({ iss: `${provider.issuer}/` }), 'issuer', /get one from/)
    await assertRefused(await provider.sign({ aud: 'urn:other' }), 'audience', /urn:other/)
    await assertRefused(await provider.sign({ aud: undefined }), 'audience', /names no audience/)
    assert.equal((await me(await provider.sign({ aud: ['urn:other', provider.audience] }))).status, 200)
  })

  it('when it is not signed, or with the provider’s public key as the secret', async () => {
    const claims = { iss: provider.issuer, aud: provider.audience, sub: 'root', roles: ['admin'], exp: nowS() + 60 }
    const header = { alg: 'none', typ: 'at+jwt', kid: provider.key().kid }
    await assertRefused(`${encode(header)}.${encode(claims)}.`, 'algorithm', /none/)
    const pem = createPublicKey({ format: 'jwk', key: provider.key().publicJwk }).export({
      type: 'spki',
      format: 'pem'
    })
    const hmac = new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' })
    await assertRefused(await hmac.sign(Buffer.from(pem as string)), 'algorithm', /HS256/)
  })

  it('when a stranger signed it, or it was altered', async () => {
    const stranger = await makeSigningKey('RS256', 'stranger')
    await assertRefused(await provider.sign({}, {}, stranger), 'key', /has no key "?'?stranger/)
    const posing = await provider.sign({ sub: 'root' }, { kid: provider.key().kid }, stranger)
    await assertRefused(posing, 'signature', /does not fit/)
    const [head, , signature] = (await provider.token({ sub: 'bob' })).split('.')
    const claims = { iss: provider.issuer, aud: provider.audience, sub: 'root', exp: nowS() + 60 }
    await assertRefused(`${head}.${encode(claims)}.${signature}`, 'signature', /altered/)
    await assertRefused('not.a.token', 'format', /not a JWT|not a JSON object/)
  })

  it('when it is an ID token, or names nobody', async () => {
    await assertRefused(await provider.sign({ nonce: 'n' }, { typ: 'JWT' }), 'type', /ID token/)
    await assertRefused(await provider.sign({ sub: undefined }), 'subject', /names no subject/)
    await assertRefused(await provider.sign({ sub: 'a\0b' }), 'subject', /not plain text/)
    await assertRefused(await provider.sign({ sub: 'a\ud800' }), 'subject', /not plain text/)
  })
})

describe('the keys of the provider', () => {
  it('may be replaced without a restart', async () => {
    const old = await provider.sign({ sub: 'ada', roles: ['viewer'] })
    assert.equal((await me(old)).status, 200)
    await provider.rotate()
    clock.advance(30_000) // strangers' keys were asked after above, and the provider is left alone for a while then
    const asked = provider.jwksRequests()
    const renewed = await provider.token({ sub: 'ada', roles: ['viewer'] })
    assert.equal((await me(renewed)).status, 200)
    assert.equal(provider.jwksRequests(), asked + 1)
    await assertRefused(old, 'key', /has no key/)
  })

  it('serve on while the provider is down', async () => {
    const exp = nowS() + 3600
    await provider.stop()
    clock.advance(11 * 60_000)
    assert.equal((await me(await provider.sign({ sub: 'ada', roles: ['viewer'], exp }))).status, 200)
    const { body } = await test.call('GET', '/api/health')
    assert.deepEqual([body.status, body.checks.identity.status], ['degraded', 'degraded'])
    assert.match(body.checks.identity.message, /OpenID provider does not answer: check OIDC_ISSUER or JWKS_URL/)
    assert.equal((await me(await provider.sign({ sub: 'bob', roles: ['viewer'], exp }))).status, 200)
    await assertRefused(await provider.sign({ exp }, { kid: 'unknown' }), 'key', /has no key/)

    await provider.restart()
    clock.advance(30_000)
    assert.equal((await test.call('GET', '/api/health')).body.status, 'ok')
  })
})

describe('a provider that was never up', () => {
  it('leaves callers with 503 and the time to wait, and takes nothing for granted', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`
    const lonely = await startTestApp({ env: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: provider.audience } })
    try {
      const token = await provider.sign({ iss: issuer, roles: ['admin'] })
      const assertUnavailable = ({ status, body, headers }: Answer) => {
        assert.deepEqual([status, body.code], [503, 'dependency_unavailable'])
        assert.match(body.detail, /keys of the identity provider/)
        assert.equal(headers.get('retry-after'), '5')
        assert.equal(headers.get('www-authenticate'), null)
      }
      assertUnavailable(await lonely.call('GET', '/api/users/me', { as: { token } }))
      assertUnavailable(await lonely.call('POST', '/api/api-keys', { as: { token }, body: { name: 'k' } }))
      const expired = await lonely.call('GET', '/api/users/me', { as: { token: await provider.sign({ exp: 1 }) } })
      assert.equal(expired.status, 401, 'what needs no key is told all the same')

      const intruder = await openIntruder(lonely.database)
      const { logs } = await intruder.read()
      await intruder.close()
      const seen = logs.map(({ action, outcome, status }) => `${action} ${outcome} ${status}`).sort()
      assert.deepEqual(seen, ['api-key.create failed 503', 'sign-in refused 401'])
    } finally {
      await lonely.close()
    }
  })
})
