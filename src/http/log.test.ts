// Once: lines of the log.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'

const WARNING = 40

describe('what the server logs', () => {
  const clock = new ManualClock()
  let test: TestApp

  before(async () => {
    test = await startTestApp({ clock })
  })
  after(() => test.close())

  const linesOf = () => test.logged.map((line) => JSON.parse(line))

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
    const own = linesOf().filter(({ requestId, msg }) => requestId === answer.body.requestId && msg !== 'request')
    assert.ok(own.length > 0)
    for (const { level, code, cause } of own)
      assert.deepEqual([level, code, typeof cause], [WARNING, 'dependency_unavailable', 'string'])
    assert.ok(!test.logged.join('').includes('never-made'))
  })

  it('tells once what is the same in every area, and then how often it was', async () => {
    for (const path of ['/api/api-keys', '/api/classification/levels', '/api/users']) {
      const { status, body } = await test.call('GET', path, { as: 'admin' })
      assert.deepEqual([status, body.code], [503, 'dependency_unavailable'], path)
    }
    const told = () => linesOf().filter(({ level, code }) => level === WARNING && code === 'dependency_unavailable')
    assert.equal(told().length, 1)
    clock.advance(60_000)
    assert.deepEqual(
      told().map(({ count }) => count),
      [undefined, 4]
    )
  })
})
