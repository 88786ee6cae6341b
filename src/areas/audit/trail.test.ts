import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CallOptions, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { makeKeyText } from '../api-keys/key-text.ts'

let test: TestApp

before(async () => {
  test = await startTestApp()
  for (const as of ['viewer', 'editor', 'admin'] as const) await test.call('GET', '/api/users/me', { as })
})
after(() => test.close())

let requests = 0

interface Log {
  user: { id: string; name: string } | null
  requestId: string
  [field: string]: unknown
}

/** Makes a call; answers it together with the rows that it left. */
async function traced(method: string, path: string, options: CallOptions = {}) {
  const requestId = `traced-${++requests}`
  const headers = { 'user-agent': 'tests/1.0', ...options.headers, 'x-request-id': requestId }
  const answer = await test.call(method, path, { ...options, headers })
  const all: Log[] = (await test.call('GET', '/api/audit/logs?limit=1000', { as: 'admin' })).body.logs
  return { answer, rows: all.filter((log) => log.requestId === requestId) }
}

/** The one row that a call left, without the columns that differ from call to call. */
async function rowOf(method: string, path: string, options: CallOptions = {}) {
  const { rows } = await traced(method, path, options)
  assert.equal(rows.length, 1, `${method} ${path} left ${rows.length} rows`)
  const {
    id: _id,
    time: _time,
    lane: _lane,
    seq: _seq,
    hash: _hash,
    requestId: _requestId,
    user,
    ...row
  } = rows[0] as Log
  return { ...row, user: user?.name ?? null } as Record<string, unknown>
}

const request = { ip: '127.0.0.1', userAgent: 'tests/1.0' }

describe('a change', () => {
  it('leaves one row that says who did what, from where, and what became of it', async () => {
    const { answer, rows } = await traced('POST', '/api/api-keys', { as: 'editor', body: { name: 'nightly' } })
    const [row] = rows as [Log]
    assert.equal(rows.length, 1)
    assert.match(String(row.id), /^aud_[0-9a-z]{26}$/)
    assert.match(String(row.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(row.user, { id: answer.body.ownerId, name: 'editor' })
    const { action, resourceType, resourceId, outcome, status, code, ip, userAgent, changes } = row
    assert.deepEqual(
      { action, resourceType, resourceId, outcome, status, code, ip, userAgent },
      {
        action: 'api-key.create',
        resourceType: 'api-key',
        resourceId: answer.body.id,
        outcome: 'success',
        status: 201,
        code: null,
        ...request
      }
    )
    const { key, ...shown } = answer.body
    assert.deepEqual(changes, Object.fromEntries(Object.entries(shown).map(([field, to]) => [field, { to }])))
    assert.ok(!JSON.stringify(row).includes(key))
  })

  it('says what was and what is, field by field, and nothing of what stayed', async () => {
    const body = { name: 'secret', rank: 90, description: 'a' }
    const { id } = (await test.call('POST', '/api/classification/levels', { as: 'admin', body })).body
    const changed = await rowOf('PUT', `/api/classification/levels/${id}`, {
      as: 'admin',
      body: { rank: 90, description: 'b' }
    })
    assert.equal(changed.action, 'classification-level.update')
    assert.deepEqual(changed.changes, { description: { from: 'a', to: 'b' } })
    const removed = await rowOf('DELETE', `/api/classification/levels/${id}`, { as: 'admin' })
    assert.deepEqual([removed.action, removed.status], ['classification-level.delete', 204])
    assert.deepEqual((removed.changes as Record<string, unknown>).name, { from: 'secret' })
  })

  it('names the user behind an API key', async () => {
    const { key } = (await test.call('POST', '/api/api-keys', { as: 'editor', body: { name: 'k' } })).body
    const row = await rowOf('POST', '/api/api-keys', { as: { token: key }, body: { name: 'by key' } })
    assert.equal(row.user, 'editor')
  })

  it('is written once where its Idempotency-Key brings the same answer again', async () => {
    const call = () =>
      traced('POST', '/api/api-keys', { as: 'editor', body: { name: 'k' }, headers: { 'idempotency-key': 'audited' } })
    assert.deepEqual([(await call()).rows.length, (await call()).rows.length], [1, 0])
  })
})

describe('a refused token', () => {
  const signIn = { action: 'sign-in', resourceType: 'token', resourceId: null, outcome: 'refused', status: 401 }

  it('leaves a row, on a read as on a change, with nobody in it and nothing of the token', async () => {
    const missing = { ...signIn, code: 'authentication_required', user: null, apiKey: null, changes: null, ...request }
    assert.deepEqual(await rowOf('GET', '/api/users/me'), missing)
    assert.deepEqual(await rowOf('POST', '/api/api-keys', { body: { name: 'k' } }), missing)
    const bad = await rowOf('GET', '/api/users/me', { as: { token: 'not-a-token' } })
    assert.deepEqual(bad, { ...missing, code: 'invalid_token' })
    assert.ok(!JSON.stringify(bad).includes('not-a-token'))
    const stranger = await rowOf('GET', '/api/users/me', { as: { token: makeKeyText() } })
    assert.deepEqual(stranger, { ...missing, code: 'invalid_token' })
  })

  describe('of a key that is known', () => {
    const clock = new ManualClock()
    let timed: TestApp
    before(async () => {
      timed = await startTestApp({ clock })
    })
    after(() => timed.close())

    const makeKey = async (token: string, body: object) =>
      (await timed.call('POST', '/api/api-keys', { as: { token }, body })).body
    const rowsOf = async (id: string) => {
      const token = await timed.token('root', 'admin')
      return (await timed.call('GET', `/api/audit/logs?apiKeyId=${id}&action=sign-in`, { as: { token } })).body
    }
    /** What the rows about refused calls with a key name. */
    const named = async (key: string, id: string, calls = 1) => {
      for (let n = 0; n < calls; n++) {
        const { status, text } = await timed.call('GET', '/api/users/me', { as: { token: key } })
        assert.equal(status, 401)
        assert.ok(!text.includes(id), 'the answer names no key')
      }
      const body = await rowsOf(id)
      const [latest] = body.logs
      return [latest?.user?.name, latest?.apiKey, latest?.code, body.total]
    }

    it('names the key and its user when it was revoked, with what was made with it, and when it expired', async () => {
      const token = await timed.token('eve', 'editor')
      const first = await makeKey(token, { name: 'first' })
      const second = await makeKey(first.key, { name: 'second' })
      await timed.call('DELETE', `/api/api-keys/${first.id}`, { as: { token } })
      for (const { id, name, key } of [first, second]) {
        assert.deepEqual(await named(key, id), ['eve', { id, name }, 'invalid_token', 1])
      }
      const brief = await makeKey(token, { name: 'brief', expiresAt: new Date(clock.now() + 1000).toISOString() })
      clock.advance(1000)
      const { id, name } = brief
      assert.deepEqual(await named(brief.key, id), ['eve', { id, name }, 'invalid_token', 1])
    })

    it('names the key and its user when the user is disabled, and the user of a token', async () => {
      const token = await timed.token('mallory', 'editor')
      const { id, key, ownerId } = await makeKey(token, { name: 'k' })
      await timed.call('PUT', `/api/users/${ownerId}`, { as: 'admin', body: { disabled: true } })
      assert.deepEqual(await named(key, id), ['mallory', { id, name: 'k' }, 'invalid_token', 1])
      await timed.call('GET', '/api/users/me', { as: { token } })
      const own = await timed.call('GET', `/api/audit/logs?user=${ownerId}&action=sign-in`, { as: 'admin' })
      assert.deepEqual([own.body.total, own.body.logs[0].apiKey], [2, null])
    })

    it('still becomes a sum, that names the key', async () => {
      const token = await timed.token('eve', 'editor')
      const { id, name, key } = await makeKey(token, { name: 'many' })
      await timed.call('DELETE', `/api/api-keys/${id}`, { as: { token } })
      assert.deepEqual((await named(key, id, 60)).at(-1), 50)
      clock.advance(3600_000)
      await eventually(async () => (await rowsOf(id)).total === 51)
      const [sum] = (await rowsOf(id)).logs
      assert.deepEqual(sum.changes.refusals, { from: 50, to: 60 })
      assert.deepEqual([sum.user.name, sum.apiKey], ['eve', { id, name }])
    })

    it('is forgotten a year after the key was revoked, when the next one is', async () => {
      const token = await timed.token('eve', 'editor')
      const old = await makeKey(token, { name: 'old' })
      await timed.call('DELETE', `/api/api-keys/${old.id}`, { as: { token } })
      clock.advance(365 * 86_400_000 + 1)
      const again = await timed.token('eve', 'editor')
      const { id } = await makeKey(again, { name: 'new' })
      assert.equal((await named(old.key, old.id)).at(-1), 1)
      await timed.call('DELETE', `/api/api-keys/${id}`, { as: { token: again } })
      assert.equal((await named(old.key, old.id)).at(-1), 1, 'no row more')
    })
  })
})

describe('a refused request', () => {
  it('leaves a row where the permission was missing, on a read too', async () => {
    const read = await rowOf('GET', '/api/users/usr_x', { as: 'viewer' })
    assert.deepEqual(read, {
      action: 'getUser',
      resourceType: 'user',
      resourceId: 'usr_x',
      outcome: 'refused',
      status: 403,
      code: 'permission_denied',
      user: 'viewer',
      apiKey: null,
      changes: null,
      ...request
    })
    const change = await rowOf('PUT', '/api/users/usr_x', { as: 'editor', body: {} })
    assert.deepEqual([change.action, change.resourceType, change.resourceId], ['user.update', 'user', 'usr_x'])
    const list = await rowOf('GET', '/api/users', { as: 'viewer' })
    assert.deepEqual([list.action, list.resourceType, list.resourceId], ['listUsers', 'users', null])
    const within = await rowOf('DELETE', '/api/buckets/photos/objects/2026/a.jpg', { as: 'viewer' })
    assert.deepEqual([within.action, within.resourceType, within.resourceId], ['object.delete', 'bucket', 'photos'])
  })

  it('leaves a row for every change that was turned away', async () => {
    const levels = '/api/classification/levels'
    const me = (await test.call('GET', '/api/users/me', { as: 'admin' })).body.user
    const tag = { resource: 'pipeline://p', level: 'internal' }
    await test.call('POST', '/api/classification/resources', { as: 'editor', body: tag })
    const refusals: [number, string, string, CallOptions][] = [
      [400, 'POST', levels, { body: { name: 'x' } }],
      [400, 'POST', levels, { body: '{' }],
      [404, 'DELETE', `${levels}/lvl_x`, {}],
      [409, 'POST', levels, { body: { name: 'public', rank: 77 } }],
      [409, 'DELETE', `${levels}/lvl_internal`, {}],
      [412, 'PUT', `${levels}/lvl_public`, { body: { rank: 11 }, headers: { 'if-match': '"v9"' } }],
      [415, 'POST', levels, { body: 'x', headers: { 'content-type': 'text/plain' } }],
      [422, 'PUT', `/api/users/${me.id}`, { body: { disabled: true } }]
    ]
    for (const [status, method, path, options] of refusals) {
      const row = await rowOf(method, path, { as: 'admin', ...options })
      assert.deepEqual([row.status, row.outcome, row.user, row.changes], [status, 'refused', 'admin', null])
      assert.equal(
        row.resourceId,
        path.startsWith(`${levels}/`) || path.includes(me.id) ? path.split('/').at(-1) : null
      )
    }
  })

  it('leaves none where a read found nothing or was asked wrongly, for nothing was refused', async () => {
    for (const path of ['/api/users/usr_x', '/api/users?limit=0', '/api/nowhere', '/api/audit/logs?x=1']) {
      const { answer, rows } = await traced('GET', path, { as: 'admin' })
      assert.ok([400, 404].includes(answer.status), path)
      assert.deepEqual(rows, [])
    }
  })
})

describe('a read that succeeds', () => {
  it('leaves no row', async () => {
    const paths = ['users', 'users/me', 'api-keys', 'audit/logs', 'audit/verify', 'classification/levels', 'health']
    for (const path of paths) {
      const { answer, rows } = await traced('GET', `/api/${path}`, { as: 'admin' })
      assert.equal(answer.status, 200, path)
      assert.deepEqual(rows, [], path)
    }
    const asked = await traced('POST', '/api/users/explain-token', { as: 'admin', body: { token: 'x' } })
    assert.deepEqual([asked.answer.status, asked.rows], [200, []])
  })
})
