// Once: no database. A service that knows who is calling judges what arrives there.
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import { jwtVerify } from 'jose'
import { rsaKeys } from '../../../../../test/support/rsa-keys.ts'
import { SourceError } from '../../errors.ts'
import type { Authentication } from '../entry.ts'
import { isAzureTableRight, isOAuth1Right, isSigV4Right } from '../testing/signatures.ts'
import { Signing } from '../testing/signing.ts'

const signing = new Signing()
const { service } = signing

/** What a refusal says: its code and the setting at fault. */
async function refusalOf(work: Promise<unknown>): Promise<[string, string | undefined]> {
  const error = await work.then(
    () => assert.fail('it was not refused'),
    (reason) => reason
  )
  assert.ok(error instanceof SourceError, String(error))
  return [error.code, error.pointer]
}

describe('authentication of declared sources', () => {
  const { knows, rules } = service
  before(() => signing.start())
  after(() => signing.stop())
  afterEach(() => {
    Object.assign(service, { knows, rules, instead: undefined })
  })

  it('is nothing where nothing is needed', async () => {
    service.knows = ({ headers }) => headers.authorization === undefined
    assert.equal(await signing.ask(signing.signer({ kind: 'none' }, {})), 200)
  })

  it('is a key in a header, the query, a cookie, JSON or a form', async () => {
    const key = (place: 'header' | 'query' | 'body' | 'cookie'): Authentication => ({
      kind: 'key',
      in: place,
      name: 'X-Key',
      value: 'k {api_key}'
    })
    const scope = { api_key: 'a&b=c' }
    service.knows = ({ headers }) => headers['x-key'] === 'k a&b=c'
    assert.equal(await signing.ask(signing.signer(key('header'), scope)), 200)
    service.knows = ({ target }) => new URL(target, 'http://x').searchParams.get('X-Key') === 'k a&b=c'
    assert.equal(await signing.ask(signing.signer(key('query'), scope), signing.request('/data?a=1')), 200)
    service.knows = ({ headers }) => headers.cookie === 'theme=dark; X-Key=k%20a%26b%3Dc'
    const withCookie = { ...signing.request(), headers: { Cookie: 'theme=dark' } }
    assert.equal(await signing.ask(signing.signer(key('cookie'), scope), withCookie), 200)
    service.knows = ({ body }) => JSON.parse(body)['X-Key'] === 'k a&b=c' && JSON.parse(body).page === 1
    assert.equal(
      await signing.ask(signing.signer(key('body'), scope), signing.request('/data', { json: { page: 1 } })),
      200
    )
    service.knows = ({ body }) => new URLSearchParams(body).get('X-Key') === 'k a&b=c'
    assert.equal(
      await signing.ask(signing.signer(key('body'), scope), signing.request('/data', { form: { page: '1' } })),
      200
    )
  })

  it('is a bearer token, or a name and a password of which one may be empty', async () => {
    service.knows = ({ headers }) => headers.authorization === 'Bearer t0'
    assert.equal(await signing.ask(signing.signer({ kind: 'bearer', token: '{token}' }, { token: ' t0\n' })), 200)
    const basic: Authentication = { kind: 'basic', user: '{user}', password: '{password}' }
    const decoded = (text = '') => Buffer.from(text.replace('Basic ', ''), 'base64').toString()
    service.knows = ({ headers }) => decoded(headers.authorization) === 'ada:gräme:1'
    assert.equal(await signing.ask(signing.signer(basic, { user: 'ada', password: 'gräme:1' })), 200)
    service.knows = ({ headers }) => decoded(headers.authorization) === 'key-1:'
    assert.equal(await signing.ask(signing.signer(basic, { user: 'key-1' })), 200)
    assert.deepEqual(await refusalOf(signing.ask(signing.signer(basic, {}))), ['wrong_credentials', '/password'])
  })

  it('names the setting that is missing, or that no header can carry', async () => {
    const bearer: Authentication = { kind: 'bearer', token: '{access_token}' }
    assert.deepEqual(await refusalOf(signing.ask(signing.signer(bearer, {}))), ['wrong_credentials', '/access_token'])
    for (const value of ['a\r\nX-Admin: 1', 'a\nb', 'a\u0000b', 'a→b']) {
      const refused = await refusalOf(signing.ask(signing.signer(bearer, { access_token: value })))
      assert.deepEqual(refused, ['wrong_credentials', '/access_token'])
    }
    const sigv4: Authentication = {
      kind: 'sigv4',
      service: 'sqs',
      region: '{region}',
      accessKey: '{a}',
      secretKey: '{s}'
    }
    assert.deepEqual(await refusalOf(signing.ask(signing.signer(sigv4, { region: 'eu-1', a: 'x' }))), [
      'wrong_credentials',
      '/s'
    ])
  })

  it('is one of several by what a setting says', async () => {
    const choice: Authentication = {
      kind: 'choice',
      setting: 'auth_type',
      options: { key: { kind: 'key', in: 'header', name: 'x-key', value: '{key}' }, open: { kind: 'none' } }
    }
    service.knows = ({ headers }) => headers['x-key'] === 'k1'
    assert.equal(await signing.ask(signing.signer(choice, { auth_type: 'key', key: 'k1' })), 200)
    assert.equal(await signing.ask(signing.signer(choice, { auth_type: 'open' })), 401)
    for (const auth_type of [undefined, 'constructor', 'other']) {
      assert.throws(() => signing.signer(choice, { auth_type }), { code: 'wrong_credentials', pointer: '/auth_type' })
    }
  })

  it('is a session whose token is sent as the service wants it', async () => {
    const scope = { user: 'ada', password: 'pa"ss' }
    const login = { url: '{origin}/login', body: { name: '{user}', password: '{password}', app: { id: 7 } } }
    service.rules = {
      judge: ({ body }) =>
        body === JSON.stringify({ name: 'ada', password: 'pa"ss', app: { id: 7 } }) ? undefined : 'wrong'
    }
    const session: Authentication = { kind: 'session', login, token: 'data.token' }
    assert.equal(await signing.ask(signing.signer(session, scope)), 200)
    service.knows = ({ headers }) => service.isGood(/^Token token=(.*)$/.exec(String(headers['x-session']))?.[1])
    const named: Authentication = { ...session, name: 'X-Session', prefix: 'Token token=' }
    assert.equal(await signing.ask(signing.signer(named, scope)), 200)
    service.knows = ({ target }) => service.isGood(new URL(target, 'http://x').searchParams.get('sid'))
    const inQuery: Authentication = { ...session, in: 'query', name: 'sid' }
    assert.equal(await signing.ask(signing.signer(inQuery, scope)), 200)
    const wrong = signing.signer(session, { ...scope, password: 'no' })
    assert.deepEqual(await refusalOf(signing.ask(wrong)), ['wrong_credentials', '/password'])
    const empty = await refusalOf(signing.ask(signing.signer(session, {})))
    assert.deepEqual(empty, ['wrong_credentials', '/user'])
    service.instead = { status: 200, body: { message: 'bad password pa"ss' } }
    assert.deepEqual(await refusalOf(signing.ask(signing.signer(session, scope))), ['wrong_credentials', '/password'])
  })

  it('is a session that begins with GET, a form, or a name and password in the header', async () => {
    const token = 'access_token'
    service.rules = {
      judge: ({ method, target, body, headers }) => {
        const form = method === 'POST' && body === 'user=ada&pass=p%261'
        const get = method === 'GET' && target === '/login?user=a%26b' && headers['x-api-key'] === 'p&1'
        return form || get || headers.authorization === `Basic ${btoa('ada:p&1')}` ? undefined : 'wrong'
      }
    }
    const url = '{origin}/login'
    const form = { url, form: { user: '{user}', pass: '{pass}' } }
    const basic = { url, basic: { user: '{user}', password: '{pass}' } }
    for (const login of [form, basic]) {
      const scope = { user: 'ada', pass: 'p&1' }
      assert.equal(await signing.ask(signing.signer({ kind: 'session', login, token }, scope)), 200)
      const wrong = signing.signer({ kind: 'session', login, token }, { ...scope, pass: 'x' })
      assert.deepEqual(await refusalOf(signing.ask(wrong)), ['wrong_credentials', '/pass'])
    }
    const get = { method: 'GET', url: `${url}?user={user}`, headers: { 'x-api-key': '{pass}' } } as const
    const scope = { user: 'a&b', pass: 'p&1' }
    assert.equal(await signing.ask(signing.signer({ kind: 'session', login: get, token }, scope)), 200)
  })

  it('is a statement of a service account, signed with its key as PEM or JSON', async () => {
    const { privateKey, publicKey } = rsaKeys('known')
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    const account = JSON.stringify({ client_email: 'robot@plant.example', private_key: pem, private_key_id: 'k1' })
    const jwt: Authentication = {
      kind: 'jwt',
      tokenUrl: '{origin}/token',
      issuer: '{account.client_email}',
      keyId: '{account.private_key_id}',
      subject: '{subject}',
      key: '{credentials}',
      scopes: 'read write'
    }
    service.rules = {
      async judge(_arrived, { assertion = '', grant_type }) {
        const audience = `${service.origin}/token`
        const currentDate = new Date(signing.clock.now())
        const read = jwtVerify(assertion, publicKey, { audience, currentDate, maxTokenAge: '5m' })
        const { payload, protectedHeader } = await read.catch(() => ({
          payload: undefined,
          protectedHeader: undefined
        }))
        const isRight =
          grant_type === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
          payload?.iss === 'robot@plant.example' &&
          payload.sub === 'ada@plant.example' &&
          payload.scope === 'read write' &&
          protectedHeader?.kid === 'k1'
        return isRight ? undefined : 'invalid_grant'
      }
    }
    const scope = { credentials: account, subject: 'ada@plant.example' }
    assert.equal(await signing.ask(signing.signer(jwt, scope)), 200)
    const byPem = { ...jwt, issuer: 'robot@plant.example', keyId: 'k1' }
    for (const credentials of [pem, pem.trim().replaceAll('\n', '\\n')]) {
      assert.equal(await signing.ask(signing.signer(byPem, { ...scope, credentials })), 200)
    }
    const other = rsaKeys('stranger').privateKey.export({
      type: 'pkcs8',
      format: 'pem'
    })
    for (const credentials of [other.toString(), 'no key', '{"client_email": 1}', '{']) {
      const refused = await refusalOf(signing.ask(signing.signer(byPem, { ...scope, credentials })))
      assert.deepEqual(refused, ['wrong_credentials', '/credentials'])
    }
    const nameless = { ...scope, credentials: JSON.stringify({ private_key: pem }) }
    assert.deepEqual(await refusalOf(signing.ask(signing.signer(jwt, nameless))), ['wrong_credentials', '/credentials'])
  })

  it('is a statement signed with a curve or a shared secret', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const told = { kind: 'jwt', tokenUrl: '{origin}/token', issuer: 'me', key: '{key}', audience: 'them' } as const
    const judgeBy = (key: Parameters<typeof jwtVerify>[1]) => {
      const currentDate = new Date(signing.clock.now())
      service.rules = {
        judge: async (_arrived, { assertion = '' }) =>
          (await jwtVerify(assertion, key, { audience: 'them', currentDate }).catch(() => undefined)) === undefined
            ? 'invalid_grant'
            : undefined
      }
    }
    judgeBy(pair.publicKey)
    const key = pair.privateKey.export({ type: 'sec1', format: 'pem' }).toString()
    assert.equal(await signing.ask(signing.signer({ ...told, algorithm: 'ES256' }, { key })), 200)
    assert.deepEqual(await refusalOf(signing.ask(signing.signer(told, { key }))), ['wrong_credentials', '/key'])
    judgeBy(new TextEncoder().encode('a secret of thirty-two characters'))
    const secret = { key: 'a secret of thirty-two characters' }
    assert.equal(await signing.ask(signing.signer({ ...told, algorithm: 'HS256' }, secret)), 200)
  })

  it('is a signature of AWS, OAuth 1 or Azure that the service works out too', async () => {
    const request = signing.request("/data/a b/%C3%A9'(x)?b=2&a=x y*~&a=%2B&empty=", { json: { é: ['→'] } })
    const aws = { kind: 'sigv4', service: 'dynamodb', region: 'eu-1', accessKey: '{id}', secretKey: '{key}' } as const
    service.knows = (arrived) => isSigV4Right(arrived, 'AK1', 's/+=') && arrived.headers['x-amz-security-token'] === 't'
    const withToken = { ...aws, sessionToken: '{token}' }
    assert.equal(await signing.ask(signing.signer(withToken, { id: 'AK1', key: 's/+=', token: 't' }), request), 200)
    assert.equal(await signing.ask(signing.signer(withToken, { id: 'AK1', key: 's/+', token: 't' }), request), 401)
    const secrets = { consumerKey: 'c', consumerSecret: 'cs&', token: 't', tokenSecret: 'ts é' }
    const oauth1: Authentication = {
      kind: 'oauth1',
      ...{ consumerKey: '{c}', consumerSecret: '{cs}', token: '{t}', tokenSecret: '{ts}', realm: '1_SB' }
    }
    const scope = { c: 'c', cs: 'cs&', t: 't', ts: 'ts é' }
    service.knows = (arrived) => isOAuth1Right(arrived, secrets)
    const form = signing.request('/data?x=1&x=0', { form: { 'a b': 'c+d', x: '~' } })
    for (const sent of [request, form]) {
      assert.equal(await signing.ask(signing.signer(oauth1, scope), sent), 200)
      assert.equal(await signing.ask(signing.signer({ ...oauth1, algorithm: 'sha1' }, scope), sent), 200)
      assert.equal(await signing.ask(signing.signer(oauth1, { ...scope, ts: 'x' }), sent), 401)
    }
    const azure: Authentication = { kind: 'azure-shared-key', account: '{account}', key: '{key}' }
    service.knows = (arrived) => isAzureTableRight(arrived, 'plant', 'c2VjcmV0')
    assert.equal(await signing.ask(signing.signer(azure, { account: 'plant', key: 'c2VjcmV0' }), request), 200)
    assert.equal(await signing.ask(signing.signer(azure, { account: 'plant', key: 'c2VjcmV1' }), request), 401)
  })

  it('is an HMAC over parts of the request', async () => {
    const hmac: Authentication = {
      kind: 'hmac',
      algorithm: 'sha256',
      key: '{secret}',
      text: '{method}\n{path}\n{query}\n{seconds}\n{user}\n{body}',
      encoding: 'hex',
      headers: { 'x-time': '{seconds}', authorization: 'HMAC {user}:{signature}' }
    }
    service.knows = ({ method, target, headers, body }) => {
      const [path, query = ''] = target.split('?')
      const text = [method, path, query, headers['x-time'], 'ada', body].join('\n')
      return headers.authorization === `HMAC ada:${createHmac('sha256', 's1').update(text).digest('hex')}`
    }
    const signer = signing.signer(hmac, { secret: 's1', user: 'ada' })
    for (const request of [signing.request(), signing.request('/data?a=1'), signing.request('/data', { json: {} })]) {
      assert.equal(await signing.ask(signer, request), 200)
    }
    assert.equal(await signing.ask(signing.signer(hmac, { secret: 's2', user: 'ada' })), 401)
    assert.deepEqual(await refusalOf(signing.ask(signing.signer(hmac, { secret: 's2' }))), [
      'wrong_credentials',
      '/user'
    ])
  })
})
