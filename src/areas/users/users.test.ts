import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import type { BusEvent } from '../../engines/bus/index.ts'
import type { Role } from '../../engines/identity/index.ts'

const clock = new ManualClock()
let test: TestApp

before(async () => {
  test = await startTestApp({ clock })
})
after(() => test.close())

const me = (token: string) => test.call('GET', '/api/users/me', { as: { token } })

const issue = (subject: string, name: string, roles: Role[]) =>
  test.platform.issuer?.issue({ subject, name, roles, ttlMs: 86_400_000 }) as Promise<string>

async function logsOf(resourceId: string) {
  const query = new URLSearchParams({ resourceType: 'user', resourceId, sort: 'time' })
  return (await test.call('GET', `/api/audit/logs?${query}`, { as: 'admin' })).body.logs
}

describe('a caller seen for the first time', () => {
  it('becomes a user once, however many of its tokens arrive together', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issue('ada', 'Ada', ['editor'])))
    // An embedded database has one writer: while it is kept busy, all requests find that the user does not exist yet.
    const held = Promise.withResolvers<void>()
    const holding = test.platform.metadata.transaction(() => held.promise)
    const calls = tokens.map(me)
    for (let n = 0; n < 20; n++) await test.call('GET', '/api/health/live')
    held.resolve()
    await holding
    const answers = await Promise.all(calls)
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ body }) => body.user.id)).size, 1)

    const { user } = answers[0]?.body ?? {}
    assert.match(user.id, /^usr_[0-9a-z]{26}$/)
    assert.deepEqual(
      { ...user, id: '' },
      {
        id: '',
        subject: 'ada',
        email: null,
        name: 'Ada',
        roles: ['editor'],
        disabled: false,
        version: 1,
        createdAt: '2026-01-01T00:00:00.000Z',
        lastSeenAt: '2026-01-01T00:00:00.000Z'
      }
    )
    const [log, ...others] = await logsOf(user.id)
    assert.deepEqual(others, [])
    assert.equal(log.action, 'user.create')
    assert.deepEqual(log.user, { id: user.id, name: 'Ada' })
    assert.deepEqual(log.changes.subject, { to: 'ada' })
    assert.deepEqual(log.changes.roles, { to: ['editor'] })
  })

  it('is known by its subject: what a new token says of it replaces what the old one said, and is audited', async () => {
    const { id } = (await me(await issue('grace', 'Grace', ['viewer']))).body.user
    const token = await issue('grace', 'Grace H.', ['viewer', 'admin'])
    const { user, role } = (await me(token)).body
    assert.deepEqual([user.id, user.name, user.roles, user.version], [id, 'Grace H.', ['viewer', 'admin'], 2])
    assert.equal(role, 'admin')
    clock.advance(2000)
    await me(token)
    const logs = await logsOf(id)
    assert.deepEqual(
      logs.map(({ action }: { action: string }) => action),
      ['user.create', 'user.update']
    )
    assert.deepEqual(logs[1].changes, {
      name: { from: 'Grace', to: 'Grace H.' },
      roles: { from: ['viewer'], to: ['viewer', 'admin'] }
    })
  })

  it('is told to others as other changes are, and two tokens that differ do not make everybody be looked at anew', async () => {
    const events: BusEvent[] = []
    const leave = test.platform.bus.subscribe('user.*', (event) => events.push(event))
    const [first, second] = await Promise.all([issue('joan', 'Joan', ['viewer']), issue('joan', 'Joan C.', ['viewer'])])
    const { id } = (await me(first)).body.user
    for (const token of [second, first, second, first]) await me(token)
    leave()
    assert.deepEqual(events, [
      { type: 'user.created', id },
      { type: 'user.updated', id, byToken: true }
    ])
    assert.deepEqual(
      (await logsOf(id)).map(({ action }: { action: string }) => action),
      ['user.create', 'user.update']
    )
  })

  it('may have any name at all, and is no news the second time', async () => {
    const names = [`${'x'.repeat(199)}\u{1f600}`, 'half \ud83d', 'n\0l', 'y'.repeat(5000)]
    for (const [n, name] of names.entries()) {
      const first = (await me(await issue(`odd-${n}`, name, ['viewer']))).body.user
      const again = (await me(await issue(`odd-${n}`, name, ['viewer']))).body.user
      assert.deepEqual(again, first)
      assert.ok(first.name.length <= 200)
    }
  })

  it('has its lastSeenAt kept to the minute, as no change of the user', async () => {
    const token = await issue('edsger', 'Edsger', ['viewer'])
    const first = (await me(token)).body.user
    clock.advance(59_999)
    await me(token)
    assert.equal((await me(token)).body.user.lastSeenAt, first.lastSeenAt)
    clock.advance(1001)
    const { user } = (await me(token)).body
    assert.equal(Date.parse(user.lastSeenAt) - Date.parse(first.lastSeenAt), 61_000)
    assert.equal(user.version, 1)
    assert.equal((await logsOf(user.id)).length, 1)
  })
})

describe('GET /api/users', () => {
  const list = async (query: string) => (await test.call('GET', `/api/users?${query}`, { as: 'admin' })).body
  const names = ({ users }: { users: { name: string }[] }) => users.map(({ name }) => name)

  before(async () => {
    for (const [subject, role] of [
      ['list-b', 'editor'],
      ['list-a', 'viewer'],
      ['List-c', 'viewer']
    ] as const) {
      clock.advance(1000)
      await me(await issue(subject, subject, [role]))
    }
  })

  it('finds users by part of their name, role and state', async () => {
    assert.deepEqual(names(await list('q=LIST-')), ['List-c', 'list-a', 'list-b'])
    assert.deepEqual(names(await list('q=list-&role=viewer')), ['List-c', 'list-a'])
    assert.deepEqual(names(await list('q=list-&disabled=true')), [])
    assert.deepEqual(names(await list('q=list-&disabled=false&role=editor')), ['list-b'])
    assert.deepEqual(names(await list('q=list_')), [], 'what stands for any character elsewhere stands for itself')
  })

  it('sorts, and pages without repeating or skipping', async () => {
    assert.deepEqual(names(await list('q=list-&sort=-name')), ['list-b', 'list-a', 'List-c'])
    assert.deepEqual(names(await list('q=list-&sort=createdAt')), ['list-b', 'list-a', 'List-c'])
    assert.deepEqual(names(await list('q=list-&sort=-lastSeenAt')), ['List-c', 'list-a', 'list-b'])
    const first = await list('q=list-&limit=2')
    assert.equal(first.total, 3)
    const second = await list(`q=list-&limit=2&cursor=${first.nextCursor}`)
    assert.deepEqual([...names(first), ...names(second)], ['List-c', 'list-a', 'list-b'])
    assert.equal(second.nextCursor, null)
  })

  it('answers one by its id, and only to administrators', async () => {
    const [user] = (await list('q=list-a')).users
    const one = await test.call('GET', `/api/users/${user.id}`, { as: 'admin' })
    assert.deepEqual(one.body, user)
    assert.equal(one.headers.get('etag'), '"v1"')
    assert.equal((await test.call('GET', '/api/users/usr_nobody', { as: 'admin' })).status, 404)
    for (const as of ['viewer', 'editor'] as const) {
      for (const path of ['/api/users', `/api/users/${user.id}`]) {
        const refused = await test.call('GET', path, { as })
        assert.deepEqual([refused.status, refused.body.permission], [403, 'users:admin'])
      }
    }
  })
})

describe('GET /api/users/me', () => {
  it('tells the bearer of a token what it may do', async () => {
    const { body } = await me(await issue('reader', 'Reader', ['viewer']))
    assert.deepEqual(
      [body.user.subject, body.role, body.apiKeyId, body.permissions],
      [
        'reader',
        'viewer',
        null,
        [
          'alerts:read',
          'api-keys:self',
          'buckets:read',
          'catalog:read',
          'classification:read',
          'connectors:read',
          'dashboards:read',
          'integration:read',
          'lineage:read',
          'metrics:read',
          'pipelines:read',
          'quality:read',
          'scheduler:read',
          'schemas:read',
          'storage:read',
          'users:self'
        ]
      ]
    )
  })

  it('tells the bearer of an API key whose it is, and what the key narrows that to', async () => {
    const token = await issue('maker', 'Maker', ['editor'])
    const scopes = ['classification:*', 'users:self']
    const key = await test.call('POST', '/api/api-keys', { as: { token }, body: { name: 'k', scopes } })
    const { body } = await me(key.body.key)
    assert.deepEqual([body.user.subject, body.role, body.apiKeyId], ['maker', 'editor', key.body.id])
    assert.deepEqual(body.permissions, ['classification:read', 'classification:write', 'users:self'])
  })
})
