import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { openIntruder } from '../../../test/support/tamper.ts'
import type { Role } from '../../engines/identity/index.ts'
import { hashKeyText, isKeyText } from './key-text.ts'

const clock = new ManualClock()
let test: TestApp

before(async () => {
  test = await startTestApp({ clock })
})
after(() => test.close())

type Bearer = Role | { token: string }
const create = (as: Bearer, body: object, headers = {}) => test.call('POST', '/api/api-keys', { as, body, headers })
const list = async (as: Bearer, query = '') => (await test.call('GET', `/api/api-keys?${query}`, { as })).body
const withKey = (key: string, path = '/api/users/me') => test.call('GET', path, { as: { token: key } })

describe('making an API key', () => {
  it('shows the key once and never again, and keeps only its hash', async () => {
    const answer = await create('editor', { name: 'nightly export' }, { 'idempotency-key': 'once' })
    const { key, ...shown } = answer.body
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('location'), `/api/api-keys/${shown.id}`)
    assert.ok(isKeyText(key))
    assert.equal(shown.hint, key.slice(0, 7))
    assert.deepEqual(
      { ...shown, id: '', ownerId: '', hint: '' },
      {
        id: '',
        name: 'nightly export',
        ownerId: '',
        role: 'editor',
        scopes: null,
        hint: '',
        expiresAt: null,
        lastUsedAt: null,
        madeWith: null,
        createdAt: clock.iso()
      }
    )
    assert.deepEqual((await test.call('GET', `/api/api-keys/${shown.id}`, { as: 'editor' })).body, shown)
    assert.deepEqual((await list('editor')).apiKeys, [shown])

    const intruder = await openIntruder(test.database)
    const stored = await intruder.everything()
    await intruder.close()
    assert.ok(stored.includes(hashKeyText(key)))
    assert.ok(!stored.includes(key), 'not in the answer kept for the Idempotency-Key either')
    assert.ok(!test.logged.join('').includes(key))
    assert.equal((await create('editor', { name: 'nightly export' }, { 'idempotency-key': 'once' })).body.key, key)
  })

  it('refuses a role beyond the maker’s', async () => {
    const refused = await create('viewer', { name: 'k', role: 'editor' })
    assert.deepEqual([refused.status, refused.body.code], [403, 'rights_exceeded'])
    assert.equal((await create('editor', { name: 'k', role: 'admin' })).status, 403)
    assert.equal((await create('admin', { name: 'k', role: 'viewer' })).body.role, 'viewer')
    const nobody = { token: await test.token('nobody') }
    assert.equal((await create(nobody, { name: 'k' })).body.code, 'rights_exceeded')
  })

  it('lets a key make keys within its own role and scopes, which they inherit', async () => {
    const scopes = ['api-keys:self', 'classification:*']
    const maker = { token: (await create('editor', { name: 'maker', scopes })).body.key }
    assert.deepEqual((await create(maker, { name: 'same' })).body.scopes, scopes)
    assert.deepEqual((await create(maker, { name: 'less', scopes: ['classification:read'] })).body.role, 'editor')
    for (const wide of ['users:self', '*:*', '*:self', '*:read']) {
      const refused = await create(maker, { name: 'wider', scopes: ['classification:read', wide] })
      assert.deepEqual([refused.status, refused.body.code, refused.body.scope], [403, 'rights_exceeded', wide])
    }
    const narrow = { token: (await create('editor', { name: 'narrow', scopes: ['classification:read'] })).body.key }
    const refused = await create(narrow, { name: 'k' })
    assert.deepEqual([refused.status, refused.body.permission], [403, 'api-keys:self'])
  })

  it('lets no key make one that outlives it', async () => {
    const expiresAt = '2026-01-02T00:00:00.000Z'
    const maker = { token: (await create('editor', { name: 'short-lived', expiresAt })).body.key }
    assert.equal((await create(maker, { name: 'as long' })).body.expiresAt, expiresAt)
    const later = await create(maker, { name: 'longer', expiresAt: '2026-01-02T00:00:00.001Z' })
    assert.deepEqual([later.status, later.body.code], [403, 'rights_exceeded'])
    const sooner = await create(maker, { name: 'shorter', expiresAt: '2026-01-01T12:00:00.000Z' })
    assert.equal(sooner.status, 201)
  })

  it('refuses fields that make no sense, by name', async () => {
    const pointers = async (body: object) =>
      ((await create('editor', body)).body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(await pointers({}), ['/name'])
    assert.deepEqual(await pointers({ name: ' ' }), ['/name'])
    assert.deepEqual(await pointers({ name: 'k', scopes: [] }), ['/scopes'])
    assert.deepEqual(await pointers({ name: 'k', scopes: ['users'] }), ['/scopes/0'])
    assert.deepEqual(await pointers({ name: 'k', role: 'root' }), ['/role'])
    assert.deepEqual(await pointers({ name: 'k', expiresAt: clock.iso() }), ['/expiresAt'])
    assert.deepEqual(await pointers({ name: 'k', expiresAt: 'tomorrow' }), ['/expiresAt'])
    assert.deepEqual(await pointers({ name: 'k', expiresAt: '2029-12-31T23:59:60Z' }), ['/expiresAt'])
    assert.deepEqual(await pointers({ name: 'k', key: 'mr_mine' }), ['/key'])
  })
})

describe('the scopes of a new API key', () => {
  it('are refused where its role could never use them, and not where they stand for what it has', async () => {
    for (const [role, scope, needed] of [
      ['viewer', 'buckets:write', 'editor'],
      ['editor', 'audit:admin', 'admin'],
      ['viewer', '*:admin', 'admin']
    ]) {
      const { status, body } = await create('admin', { name: 'k', role, scopes: ['users:self', scope] })
      assert.deepEqual([status, body.code], [400, 'invalid_request'])
      const message = `needs a key of the role ${needed}, and this one is of the role ${role}`
      assert.deepEqual(body.errors, [{ pointer: '/scopes/1', message }])
    }
    for (const scope of ['*:*', 'buckets:*', 'buckets:read', 'users:self']) {
      assert.equal((await create('admin', { name: 'k', role: 'viewer', scopes: [scope] })).status, 201, scope)
    }
    assert.equal((await create('viewer', { name: 'k', scopes: ['buckets:write'] })).status, 400, 'its maker’s role')
  })

  it('that there are not are answered with those there are, in words', async () => {
    const { body } = await create('editor', { name: 'k', scopes: ['bucket:read'] })
    assert.match(body.errors[0].message, /^names no area: there is alerts, api-keys, .*buckets, /)
    assert.doesNotMatch(body.errors[0].message, /\^|\|/)
  })
})

describe('using an API key', () => {
  it('works until it expires, whatever form of time that was given in', async () => {
    const { key, expiresAt } = (await create('viewer', { name: 'k', expiresAt: '2026-01-01T01:30:00+01:00' })).body
    assert.equal(expiresAt, '2026-01-01T00:30:00.000Z')
    assert.equal((await withKey(key)).status, 200)
    clock.advance(Date.parse(expiresAt) - clock.now())
    const { status, body, headers } = await withKey(key)
    assert.deepEqual([status, body.code, body.check], [401, 'invalid_token', 'expired'])
    assert.equal(
      headers.get('www-authenticate'),
      'Bearer error="invalid_token", error_description="The API key has expired."'
    )
  })

  it('is remembered to the minute', async () => {
    const { id, key } = (await create('viewer', { name: 'used' })).body
    const lastUsedAt = async () => (await test.call('GET', `/api/api-keys/${id}`, { as: 'admin' })).body.lastUsedAt
    assert.equal(await lastUsedAt(), null)
    const first = clock.iso()
    await withKey(key)
    assert.equal(await lastUsedAt(), first)
    clock.advance(59_999)
    await withKey(key)
    assert.equal(await lastUsedAt(), first)
    clock.advance(1001)
    await withKey(key)
    assert.equal(await lastUsedAt(), clock.iso())
  })

  it('allows what its role and its scopes both allow', async () => {
    const scopes = ['classification:*', 'audit:*']
    const { key } = (await create('admin', { name: 'k', role: 'editor', scopes })).body
    assert.equal((await withKey(key, '/api/classification/levels')).status, 200)
    assert.equal((await withKey(key, '/api/audit/logs')).status, 403, 'not the role')
    assert.equal((await withKey(key)).status, 403, 'not the scope')
  })

  it('falls with the role of its maker, and rises no higher than it was made', async () => {
    const maker = async (role: Role) => ({ token: await test.token('climber', role) })
    const { key } = (await create(await maker('editor'), { name: 'k' })).body
    const roleAs = async (role: Role) => {
      await test.call('GET', '/api/users/me', { as: await maker(role) })
      clock.advance(1000)
      return (await withKey(key)).body.role
    }
    assert.equal(await roleAs('viewer'), 'viewer')
    assert.equal(await roleAs('admin'), 'editor')
  })
})

describe('listing API keys', () => {
  it('shows callers their own and administrators all', async () => {
    const [ada, bob] = [{ token: await test.token('ada', 'viewer') }, { token: await test.token('bob', 'editor') }]
    const adas = (await create(ada, { name: 'zebra' })).body
    const bobs = (await create(bob, { name: 'Zebu' })).body
    const names = ({ apiKeys }: { apiKeys: { name: string }[] }) => apiKeys.map(({ name }) => name)
    assert.deepEqual(names(await list(ada)), ['zebra'])
    assert.deepEqual(names(await list(bob)), ['Zebu'])
    assert.deepEqual(names(await list(bob, `owner=${adas.ownerId}`)), [])
    assert.deepEqual(names(await list('admin', 'q=zeb')), ['zebra', 'Zebu'])
    assert.deepEqual(names(await list('admin', 'q=zeb&sort=name')), ['Zebu', 'zebra'])
    assert.deepEqual(names(await list('admin', `owner=${bobs.ownerId}`)), ['Zebu'])
  })
})
