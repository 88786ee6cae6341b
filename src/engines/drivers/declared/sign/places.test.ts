// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { strangeFields } from '../../../places/index.ts'
import type { Authentication, Entry } from '../entry.ts'
import { addressOf } from './address.ts'
import { secretPlaces } from './places.ts'

const entryWith = (base: string, authentication: Authentication, streams: Entry['streams'] = {}): Entry => ({
  id: 'plant',
  name: 'Plant',
  category: 'engineering',
  documentation: 'https://plant.example',
  settings: {
    host: {},
    region: { default: 'eu' },
    api_key: { secret: true },
    client_secret: { secret: true, optional: true },
    auth_type: { choices: ['key', 'oauth'] }
  },
  base,
  authentication,
  streams
})

describe('places of secrets', () => {
  const key: Authentication = { kind: 'key', in: 'header', name: 'x-key', value: '{api_key}' }
  const oauth: Authentication = {
    kind: 'oauth2',
    grant: 'client_credentials',
    tokenUrl: 'https://{region}.login.example/token'
  }
  const strange = (entry: Entry, before: Record<string, unknown>, later: Record<string, unknown>) =>
    strangeFields(secretPlaces(entry, before).api_key ?? {}, secretPlaces(entry, later).api_key ?? {})

  it('are for every secret, and the same while the servers are', () => {
    const entry = entryWith('https://{host}/v1', key)
    assert.deepEqual(Object.keys(secretPlaces(entry, {})), ['api_key', 'client_secret'])
    assert.deepEqual(strange(entry, { host: 'a.example', page: 1 }, { host: 'A.example:443', page: 2 }), [])
    assert.deepEqual(strange(entry, { host: 'a.example' }, { host: 'b.example' }), ['host'])
    assert.deepEqual(strange(entry, { host: 'a.example' }, { host: 'a.example:8443' }), ['host'])
    assert.deepEqual(strange(entry, { host: 'a.example' }, { host: 'a.example', base_url: 'http://127.0.0.1' }), [
      'base_url'
    ])
  })

  it('are others where a server for tokens, for signing in or of a stream is another', () => {
    const choice: Authentication = { kind: 'choice', setting: 'auth_type', options: { key, oauth } }
    const login: Authentication = { kind: 'session', login: { url: 'https://{region}.login.example' }, token: 'token' }
    const streams = { own: { base: 'https://{region}.stream.example' } }
    for (const entry of [
      entryWith('https://a.example', choice),
      entryWith('https://a.example', login),
      entryWith('https://a.example', key, streams),
      entryWith('https://a.example', key, { own: { path: 'https://{region}.stream.example/x' } })
    ]) {
      assert.deepEqual(strange(entry, {}, { region: 'eu' }), [])
      assert.deepEqual(strange(entry, { auth_type: 'key' }, { auth_type: 'oauth' }), [])
      assert.deepEqual(strange(entry, {}, { region: 'us' }), ['region'])
    }
  })
})

describe('addresses', () => {
  it('are made of a host that is given, with or without a scheme, and of encoded values behind it', () => {
    const cases: [string, Record<string, unknown>, string][] = [
      [
        'https://{host}/a/{x}?q={x}',
        { host: 'a.example', x: 'b/c?&#' },
        'https://a.example/a/b%2Fc%3F%26%23?q=b%2Fc%3F%26%23'
      ],
      ['{host}/token', { host: 'http://a.example:8080/' }, 'http://a.example:8080/token'],
      ['{host}/token', { host: ' a.example ' }, 'https://a.example/token'],
      ['{host|default:https://b.example/x}/token', {}, 'https://b.example/x/token'],
      ['https://{host}/token', { host: 'https://a.example/' }, 'https://a.example/token'],
      ['https://{sub}.a.example', { sub: 'plant-1' }, 'https://plant-1.a.example/']
    ]
    for (const [template, scope, url] of cases) assert.equal(addressOf(template, scope).href, url)
    assert.throws(() => addressOf('https://{sub}.a.example', {}), { code: 'bad_request', pointer: '/sub' })
    assert.throws(() => addressOf('{host}', { host: 'http://user:pass@a.example' }), { pointer: '/host' })
  })

  it('never lead elsewhere than below the name that a template ends with', () => {
    const value = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'evil.com/?#@\\:%[]\t\n ') }))
    fc.assert(
      fc.property(value, (sub) => {
        let url: URL
        try {
          url = addressOf('https://{sub}.a.example/{sub}', { sub })
        } catch {
          return
        }
        assert.ok(url.host.endsWith('.a.example') && url.pathname.split('/').length === 2, url.href)
      }),
      { numRuns: 2000 }
    )
  })
})
