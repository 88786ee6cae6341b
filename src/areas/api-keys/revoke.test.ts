import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { postgresUrl } from '../../../test/support/database.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'

describe('DELETE /api/api-keys/:id', () => {
  const clock = new ManualClock()
  let test: TestApp

  before(async () => {
    test = await startTestApp({ clock })
  })
  after(() => test.close())

  const makeKey = async () => (await test.call('POST', '/api/api-keys', { as: 'editor', body: { name: 'k' } })).body
  const me = (key: string, app = test) => app.call('GET', '/api/users/me', { as: { token: key } })
  const revoke = (id: string, as: Parameters<TestApp['call']>[2]) => test.call('DELETE', `/api/api-keys/${id}`, as)

  function assertUnknown({ status, body, headers }: Answer): void {
    const detail = 'The API key is unknown or was revoked.'
    assert.deepEqual([status, body.code, body.check, body.detail], [401, 'invalid_token', 'key', detail])
    assert.equal(headers.get('www-authenticate'), `Bearer error="invalid_token", error_description="${detail}"`)
  }

  it('makes the very next request with the key fail', async () => {
    const { id, key } = await makeKey()
    assert.equal((await me(key)).status, 200)
    const answer = await revoke(id, { as: 'editor' })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assertUnknown(await me(key))
    assert.equal((await test.call('GET', `/api/api-keys/${id}`, { as: 'editor' })).status, 404)
    assert.equal((await revoke(id, { as: 'editor' })).status, 404)
  })

  it('works once, however many ask for it together', async () => {
    const { id } = await makeKey()
    const answers = await Promise.all(Array.from({ length: 8 }, () => revoke(id, { as: 'editor' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array(7).fill(404)])
    const query = `action=api-key.revoke&outcome=success&resourceId=${id}`
    assert.equal((await test.call('GET', `/api/audit/logs?${query}`, { as: 'admin' })).body.total, 1)
  })

  it('lets a key revoke itself', async () => {
    const { id, key } = await makeKey()
    assert.equal((await revoke(id, { as: { token: key } })).status, 204)
    assertUnknown(await me(key))
  })

  it('revokes what was made with the key, and with that, in one go', async () => {
    const madeBy = async (token: string) =>
      (await test.call('POST', '/api/api-keys', { as: { token }, body: { name: 'k' } })).body
    const first = await makeKey()
    const other = await makeKey()
    const [second, sibling] = [await madeBy(first.key), await madeBy(first.key)]
    const third = await madeBy(second.key)
    assert.deepEqual(
      [first, second, sibling, third].map(({ madeWith }) => madeWith),
      [null, first.id, first.id, second.id]
    )
    const listed = (await test.call('GET', '/api/api-keys?limit=100', { as: 'editor' })).body.apiKeys
    assert.equal(listed.find(({ id }: { id: string }) => id === third.id).madeWith, second.id)
    assert.equal((await me(third.key)).status, 200)
    assert.equal((await revoke(first.id, { as: 'editor' })).status, 204)
    for (const { id, key } of [first, second, sibling, third]) {
      assertUnknown(await me(key))
      const query = `action=api-key.revoke&outcome=success&resourceId=${id}`
      assert.equal((await test.call('GET', `/api/audit/logs?${query}`, { as: 'admin' })).body.total, 1)
    }
    assert.equal((await me(other.key)).status, 200)
  })

  it('leaves no key behind that is made with it at that very moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, key } = await makeKey()
      const make = () => test.call('POST', '/api/api-keys', { as: { token: key }, body: { name: 'late' } })
      const [made] = await Promise.all([Promise.all([make(), make(), make()]), revoke(id, { as: 'editor' })])
      for (const { status, body } of made) {
        assert.ok(status === 201 || status === 401, String(status))
        if (status === 201) assertUnknown(await me(body.key))
      }
    }
  })

  it('hides the keys of others, and lets administrators revoke them', async () => {
    const { id, key } = await makeKey()
    const stranger = { as: { token: await test.token('stranger', 'editor') } }
    assert.equal((await test.call('GET', `/api/api-keys/${id}`, stranger)).status, 404)
    const refused = await revoke(id, stranger)
    assert.deepEqual([refused.status, refused.body.code], [404, 'not_found'])
    assert.equal((await me(key)).status, 200)
    assert.equal((await test.call('GET', `/api/api-keys/${id}`, { as: 'admin' })).status, 200)
    assert.equal((await revoke(id, { as: 'admin' })).status, 204)
    assertUnknown(await me(key))
  })

  // Only with PostgreSQL is there a second server that could hear of the revocation late.
  if (postgresUrl !== undefined) {
    it('reaches another replica within a second', async () => {
      const replica = await startTestApp({ clock, database: test.database })
      try {
        const { id, key } = await makeKey()
        assert.equal((await me(key, replica)).status, 200)
        await revoke(id, { as: 'editor' })
        clock.advance(1000)
        assertUnknown(await me(key, replica))
      } finally {
        await replica.app.stop()
        await replica.platform.close()
      }
    })
  }
})
