import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { makeSigningKey, type SigningKey, signToken } from '../../../test/support/oidc-provider.ts'
import { createOidcIdentity } from './oidc.ts'

let server: Server
let issuer: string
let key: SigningKey
let requests: string[]
/** What each path answers; a function takes the response over. */
let answers: Record<string, unknown>

before(async () => {
  key = await makeSigningKey('EdDSA')
  server = createServer((request, response) => {
    requests.push(request.url as string)
    const answer = answers[request.url as string]
    if (typeof answer === 'function') answer(response)
    else if (answer === undefined) response.writeHead(404).end()
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

after(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  requests = []
  answers = {
    '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys?secret=1` },
    '/keys?secret=1': { keys: [key.publicJwk] },
    '/elsewhere': { keys: [key.publicJwk] }
  }
})

function setup() {
  const clock = new ManualClock()
  return { clock, identity: createOidcIdentity({ issuer, audience: 'urn:millrace', clock }) }
}

function token(clock: ManualClock): Promise<string> {
  return signToken(key, { iss: issuer, sub: 'ada', aud: 'urn:millrace', exp: clock.now() / 1000 + 3600 })
}

test('finds the keys by discovery, once', async () => {
  const { clock, identity } = setup()
  await identity.verify(await token(clock))
  clock.advance(10 * 60_000)
  await identity.check()
  assert.deepEqual(requests, ['/.well-known/openid-configuration', '/keys?secret=1', '/keys?secret=1'])
})

test('discovers anew where the keys have moved', async () => {
  const { clock, identity } = setup()
  await identity.check()
  answers['/keys?secret=1'] = undefined
  answers['/.well-known/openid-configuration'] = { issuer, jwks_uri: `${issuer}/elsewhere` }
  clock.advance(10 * 60_000)
  await assert.rejects(identity.check(), /status 404/)
  clock.advance(30_000)
  await identity.check()
  assert.equal(requests.at(-1), '/elsewhere')
})

const broken: [string, string, () => unknown, RegExp][] = [
  ['a discovery document of another issuer', 'd', () => ({ issuer: `${issuer}/`, jwks_uri: issuer }), /calls itself/],
  ['a discovery document without issuer', 'd', () => ({ jwks_uri: issuer }), /does not name itself/],
  ['a discovery document without keys', 'd', () => ({ issuer }), /jwks_uri/],
  ['an address of keys that is none', 'd', () => ({ issuer, jwks_uri: 'keys' }), /jwks_uri/],
  ['keys in a file', 'd', () => ({ issuer, jwks_uri: 'file:///etc/keys.json' }), /not https/],
  ['null', 'd', () => 'null', /does not name itself/],
  ['no JSON', 'k', () => '<html>', /not JSON/],
  ['a redirect', 'k', () => redirect, /status 302/],
  ['a server error', 'k', () => (response: ServerResponse) => response.writeHead(503).end(), /status 503/],
  ['more than 1 MB', 'k', () => ' '.repeat(1024 * 1024 + 1), /larger than/],
  ['a cut-off answer', 'k', () => cutOff, /No keys/],
  ['no list of keys', 'k', () => ({ keys: {} }), /no JWKS/],
  ['null for keys', 'k', () => 'null', /no JWKS/],
  ['over 100 keys', 'k', () => ({ keys: Array(101).fill(key.publicJwk) }), /over 100/],
  ['no key', 'k', () => ({ keys: [] }), /no usable/],
  ['no usable key', 'k', () => ({ keys: [null, 7, { kty: 'oct', k: 'AAAA' }, { kty: 'RSA' }] }), /no usable/]
]
for (const [name, where, answer, message] of broken) {
  test(`${name}: told by check, and the keys held before serve on`, async () => {
    const path = where === 'd' ? '/.well-known/openid-configuration' : '/keys?secret=1'
    const fresh = setup()
    const used = setup()
    await used.identity.check()
    answers[path] = answer()
    await assert.rejects(fresh.identity.check(), (error: Error) => {
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
    used.clock.advance(10 * 60_000)
    await used.identity.check().catch(() => undefined)
    assert.ok(await used.identity.verify(await token(used.clock)))
    await assert.rejects(fresh.identity.verify(await token(fresh.clock)), { check: 'provider' })
    assert.ok(!requests.includes('/elsewhere'))
  })
}

test('gives up on a provider that does not answer within 5 s', async () => {
  const { clock, identity } = setup()
  const open: ServerResponse[] = []
  answers['/keys?secret=1'] = (response: ServerResponse) => {
    response.write('{"keys": [')
    open.push(response)
  }
  const refusal = assert.rejects(identity.verify(await token(clock)), { check: 'provider' })
  await eventually(() => open.length === 1)
  clock.advance(4_999)
  assert.equal(open[0]?.destroyed, false)
  clock.advance(1)
  await refusal
  await assert.rejects(identity.check(), /within 5000 ms/)
})

test('closing ends a request under way', async () => {
  const { clock, identity } = setup()
  answers['/keys?secret=1'] = () => undefined
  const refusal = assert.rejects(identity.verify(await token(clock)), { check: 'provider' })
  await eventually(() => requests.length === 2)
  await identity.close()
  await refusal
})

function redirect(response: ServerResponse): void {
  response.writeHead(302, { location: '/elsewhere' }).end()
}

function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"keys"', () => response.destroy())
}
