// Once: no database. A service gives out tokens that end, are taken back, and are exchanged.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { SourceError } from '../../errors.ts'
import type { OAuth2 } from '../entry.ts'
import { Signing } from '../testing/signing.ts'
import { TokenCache } from './token-cache.ts'

const signing = new Signing()
const { service, clock } = signing

const scope = { client_id: 'client', client_secret: 's3cret/+', refresh_token: 'refresh-0', user: 'ada', password: 'p' }
const client = { clientId: '{client_id}', clientSecret: '{client_secret}' }
const oauth = (grant: OAuth2['grant'], more: Partial<OAuth2> = {}): OAuth2 => ({
  kind: 'oauth2',
  grant,
  tokenUrl: '{origin}/token',
  ...client,
  ...(grant === 'refresh_token' && { refreshToken: '{refresh_token}' }),
  ...(grant === 'password' && { user: '{user}', password: '{password}' }),
  ...more
})

async function refusalOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => assert.fail('it was not refused'),
    (reason) => reason
  )
  assert.ok(error instanceof SourceError, String(error))
  return error
}

describe('tokens of declared sources', () => {
  before(() => signing.start())
  after(() => signing.stop())
  beforeEach(() => {
    service.revoke()
    service.arrived.length = 0
    service.refreshToken = 'refresh-0'
    service.instead = undefined
    service.hold = undefined
    service.rules = {
      judge: (_arrived, { client_id, client_secret }) =>
        client_id === 'client' && client_secret === 's3cret/+' ? undefined : 'invalid_client'
    }
  })

  it('are asked for in each way that OAuth 2 has', async () => {
    const seen = () => Object.fromEntries(new URLSearchParams(service.arrived[0]?.body))
    assert.equal(await signing.ask(signing.signer(oauth('client_credentials', { scopes: 'a b' }), scope)), 200)
    assert.deepEqual([seen().grant_type, seen().scope], ['client_credentials', 'a b'])
    service.arrived.length = 0
    assert.equal(await signing.ask(signing.signer(oauth('password'), scope)), 200)
    assert.deepEqual([seen().grant_type, seen().username, seen().password], ['password', 'ada', 'p'])
    service.arrived.length = 0
    const form = { grant_type: 'account_credentials', account_id: '{account}', left_out: '{nothing}' }
    assert.equal(
      await signing.ask(signing.signer(oauth('client_credentials', { form }), { ...scope, account: 'x' })),
      200
    )
    assert.deepEqual([seen().grant_type, seen().account_id, 'left_out' in seen()], ['account_credentials', 'x', false])
    service.rules = {
      judge: ({ headers }, { client_id }) =>
        client_id === undefined && headers.authorization === `Basic ${btoa('client:s3cret/+')}`
          ? undefined
          : 'invalid_client'
    }
    assert.equal(await signing.ask(signing.signer(oauth('client_credentials', { client: 'basic' }), scope)), 200)
  })

  it('are used until shortly before they end, and asked for once by all who read at the same time', async () => {
    const cache = new TokenCache()
    const signers = [1, 2, 3].map(() => signing.signer(oauth('client_credentials'), scope, { cache }))
    const hold = Promise.withResolvers<void>()
    service.hold = hold.promise
    const asked = Array.from({ length: 30 }, (_, index) => signing.ask(signers[index % 3] as never))
    hold.resolve()
    assert.ok((await Promise.all(asked)).every((status) => status === 200))
    assert.equal(service.tokensAsked, 1)
    clock.advance(3_539_000)
    await signing.ask(signers[0] as never)
    assert.equal(service.tokensAsked, 1)
    clock.advance(2_000)
    await signing.ask(signers[0] as never)
    assert.equal(service.tokensAsked, 2)
    const other = signing.signer(oauth('client_credentials', { scopes: 'more' }), scope, { cache })
    await signing.ask(other)
    assert.equal(service.tokensAsked, 3)
  })

  it('are asked for again where they were taken back, once for all who were refused', async () => {
    service.rules = { ...service.rules, onlyLast: true }
    const signer = signing.signer(oauth('client_credentials'), scope)
    const request = signing.request()
    const [first, second] = [await signer.sign(request, signing.signal), await signer.sign(request, signing.signal)]
    service.revoke()
    assert.equal(signer.renew(first), true)
    const third = await signer.sign(request, signing.signal)
    assert.equal(signer.renew(second), true)
    const fourth = await signer.sign(request, signing.signal)
    assert.deepEqual([third.headers, service.tokensAsked], [fourth.headers, 2])
    assert.equal((await signing.send(fourth, signing.signal)).status, 200)
    assert.equal(signer.renew(), true)
    await signer.sign(request, signing.signal)
    assert.equal(service.tokensAsked, 3)
  })

  it('do not fail for others where one gives up', async () => {
    const signer = signing.signer(oauth('client_credentials'), scope)
    const hold = Promise.withResolvers<void>()
    service.hold = hold.promise
    const impatient = new AbortController()
    const first = signer.sign(signing.request(), impatient.signal)
    const second = signing.ask(signer)
    impatient.abort(new Error('no time'))
    await assert.rejects(first, /no time/)
    hold.resolve()
    assert.deepEqual([await second, service.tokensAsked], [200, 1])
  })

  it('that a service refuses are told by what to do, without anything secret', async () => {
    const echo = 's3cret/+ refresh-0'
    const cases: [unknown, number, string, string | undefined][] = [
      [{ error: 'invalid_client', error_description: echo }, 401, 'wrong_credentials', '/client_secret'],
      [{ error: 'invalid_grant', error_description: echo }, 400, 'wrong_credentials', '/refresh_token'],
      [{ error: { code: 'invalid_grant', message: echo } }, 400, 'wrong_credentials', '/refresh_token'],
      [{ error: 'bad_refresh_token' }, 200, 'wrong_credentials', '/refresh_token'],
      [{ error: 'invalid_scope' }, 400, 'missing_permission', '/scope'],
      [{ error: 'unsupported_grant_type' }, 400, 'bad_request', '/refresh_token'],
      [{ error: echo }, 403, 'wrong_credentials', '/client_secret'],
      [{ error: 'temporarily_unavailable' }, 400, 'unavailable', undefined],
      [{}, 200, 'wrong_credentials', '/client_secret'],
      [{ message: echo }, 429, 'rate_limited', undefined],
      [{ message: echo }, 500, 'unavailable', undefined],
      [{ message: echo }, 504, 'timeout', undefined],
      [{ message: echo }, 404, 'not_found', '/origin'],
      [{ message: echo }, 302, 'bad_request', '/origin'],
      [{ access_token: 'a\r\nb' }, 200, 'unavailable', undefined]
    ]
    for (const [body, status, code, pointer] of cases) {
      service.instead = { status, body }
      const signer = signing.signer(oauth('refresh_token', { scopes: '{scope}' }), { ...scope, scope: 'all' })
      const error = await refusalOf(signing.ask(signer))
      assert.deepEqual([error.code, error.pointer], [code, pointer], JSON.stringify(body))
      assert.ok(!/s3cret|refresh-0/.test(error.message), error.message)
    }
    service.instead = undefined
    const wrong = await refusalOf(
      signing.ask(signing.signer(oauth('client_credentials'), { ...scope, client_secret: 'x' }))
    )
    assert.deepEqual([wrong.code, wrong.pointer], ['wrong_credentials', '/client_secret'])
    const old = await refusalOf(signing.ask(signing.signer(oauth('refresh_token'), { ...scope, refresh_token: 'old' })))
    assert.deepEqual([old.code, old.pointer], ['wrong_credentials', '/refresh_token'])
  })
})
