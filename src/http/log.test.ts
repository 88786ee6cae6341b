// Once: lines of the log.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../test/support/app.ts'

describe('what the server logs', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  it('holds no token, no key and nothing of a body', async () => {
    const token = await test.token('ada', 'admin')
    const as = { token }
    const { body: made } = await test.call('POST', '/api/api-keys', { as, body: { name: 'body-text-one' } })
    const key = { token: made.key as string }
    await test.call('GET', '/api/users/me', { as: key })
    await test.call('GET', '/api/users?q=query-text', { as })
    await test.call('GET', '/api/users/path-text', { as })
    await test.call('POST', '/api/users/explain-token', { as, body: { token: made.key } })
    await test.call('POST', '/api/classification/levels', { as, body: '{"name":"body-text-two"' })
    await test.call('POST', '/api/classification/levels', {
      as,
      body: { name: 'Body-Text-Three', password: 'p4ssword' }
    })
    await test.call('POST', '/api/api-keys', {
      as,
      body: { name: 'body-text-four' },
      headers: { 'idempotency-key': 'key-text', 'x-secret': 'header-text', cookie: 'cookie-text' }
    })
    await test.call('GET', '/api/users/me', { as: { token: `${token}x` } })
    await test.call('GET', '/api/users/me', { as: { token: `${made.key}x` } })
    await test.call('DELETE', `/api/api-keys/${made.id}`, { as, headers: { 'user-agent': 'agent-text' } })
    await test.call('GET', '/api/users/me', { as: key })

    const log = test.logged.join('')
    assert.ok(test.logged.filter((line) => line.includes('"msg":"request"')).length >= 12)
    const secrets = [token, token.split('.')[2] as string, made.key as string, 'p4ssword']
    const texts = [
      'body-text',
      'Body-Text',
      'query-text',
      'path-text',
      'key-text',
      'header-text',
      'cookie-text',
      'agent-text'
    ]
    for (const text of [...secrets, ...texts]) assert.ok(!log.includes(text), `the log holds ${text}`)
  })

  it('names the request behind each failure, and why, where the caller only learns that it failed', async () => {
    await test.platform.metadata.close()
    const answer = await test.call('POST', '/api/api-keys', { as: 'editor', body: { name: 'never-made' } })
    assert.equal(answer.status, 503)
    assert.equal(answer.body.code, 'dependency_unavailable')
    const failures = test.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
    const own = failures.filter(({ requestId }) => requestId === answer.body.requestId)
    assert.ok(own.length > 0)
    for (const line of own) assert.deepEqual([line.code, typeof line.cause], ['dependency_unavailable', 'string'])
    assert.ok(!JSON.stringify(failures).includes('never-made'))
  })
})
