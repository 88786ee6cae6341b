import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'

describe('PUT /api/users/:id', () => {
  let test: TestApp
  let token: string
  let key: string
  let id: string

  before(async () => {
    test = await startTestApp({ clock: new ManualClock() }) // the clock stands still, so that nothing is forgotten by the passing of time
    token = await test.token('ada', 'editor')
    key = (await test.call('POST', '/api/api-keys', { as: { token }, body: { name: 'k' } })).body.key
    id = (await me(token)).body.user.id
  })
  after(() => test.close())

  const me = (bearer: string) => test.call('GET', '/api/users/me', { as: { token: bearer } })
  const put = (body: object, headers = {}) => test.call('PUT', `/api/users/${id}`, { as: 'admin', body, headers })

  function assertDisabled({ status, body, headers }: Answer, detail: string): void {
    assert.deepEqual([status, body.code, body.check, body.detail], [401, 'invalid_token', 'disabled', detail])
    assert.equal(headers.get('www-authenticate'), `Bearer error="invalid_token", error_description="${detail}"`)
  }

  it('disables: the very next request with a token or an API key of the user is refused', async () => {
    assert.deepEqual([(await me(token)).status, (await me(key)).status], [200, 200])
    const { status, body, headers } = await put({ disabled: true })
    assert.deepEqual([status, body.disabled, body.version, headers.get('etag')], [200, true, 2, '"v2"'])
    assertDisabled(await me(token), 'The user is disabled; ask an administrator.')
    assertDisabled(await me(key), 'The user who made the API key is disabled.')
    assertDisabled(await me(await test.token('ada', 'admin')), 'The user is disabled; ask an administrator.')
    const disabled = await test.call('GET', '/api/users?disabled=true', { as: 'admin' })
    assert.deepEqual(
      disabled.body.users.map((user: { id: string }) => user.id),
      [id]
    )
  })

  it('enables again', async () => {
    assert.equal((await put({ disabled: false })).body.disabled, false)
    assert.deepEqual([(await me(token)).status, (await me(key)).status], [200, 200])
  })

  it('leaves out what is left out', async () => {
    await put({ disabled: true })
    assert.equal((await put({})).body.disabled, true)
    await put({ disabled: false })
  })

  it('does not let anyone disable themselves', async () => {
    const { user } = (await test.call('GET', '/api/users/me', { as: 'admin' })).body
    const refused = await test.call('PUT', `/api/users/${user.id}`, { as: 'admin', body: { disabled: true } })
    assert.deepEqual([refused.status, refused.body.code], [422, 'unprocessable'])
    assert.equal((await test.call('GET', '/api/users/me', { as: 'admin' })).status, 200)
  })

  it('refuses what the identity provider decides, by name', async () => {
    const { status, body } = await put({ roles: ['admin'], name: 'Eve' })
    assert.deepEqual([status, body.code], [400, 'invalid_request'])
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/roles', '/name']
    )
  })

  it('honours If-Match', async () => {
    const stale = await put({ disabled: true }, { 'if-match': '"v1"' })
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_version'])
    assert.equal((await me(token)).status, 200, 'nothing was changed')
    assert.equal((await put({ disabled: false }, { 'if-match': stale.body.currentEtag })).status, 200)
  })

  it('is for administrators, and knows who there is', async () => {
    const byEditor = await test.call('PUT', `/api/users/${id}`, { as: 'editor', body: { disabled: true } })
    assert.deepEqual([byEditor.status, byEditor.body.permission], [403, 'users:admin'])
    assert.equal((await test.call('PUT', '/api/users/usr_nobody', { as: 'admin', body: {} })).status, 404)
  })
})
