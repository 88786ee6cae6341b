// Once: checks of a token.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { makeSigningKey, signToken } from '../../../test/support/oidc-provider.ts'
import { openIntruder } from '../../../test/support/tamper.ts'

interface Check {
  name: string
  ok: boolean
  message: string
}

describe('POST /api/users/explain-token', () => {
  const clock = new ManualClock()
  const asked: string[] = []
  let test: TestApp

  before(async () => {
    test = await startTestApp({ clock })
  })
  after(() => test.close())

  async function explain(token: string): Promise<{ accepted: boolean; kind: string; checks: Check[] }> {
    asked.push(token)
    const answer = await test.call('POST', '/api/users/explain-token', { as: 'admin', body: { token } })
    assert.equal(answer.status, 200)
    return answer.body
  }

  async function makeKey(user: string, expiresAt?: string) {
    const token = await test.token(user, 'editor')
    const body = { name: 'k', ...(expiresAt !== undefined && { expiresAt }) }
    return (await test.call('POST', '/api/api-keys', { as: { token }, body })).body
  }

  const failed = ({ checks }: { checks: Check[] }) => checks.filter(({ ok }) => !ok).map(({ name }) => name)

  it('tells every check of a good token', async () => {
    const { accepted, kind, checks } = await explain(await test.token('ada', 'viewer'))
    assert.deepEqual([accepted, kind, checks.length], [true, 'jwt', 12])
    assert.equal(checks.at(-1)?.message, 'The role viewer may see data up to internal')
    assert.match(checks.find(({ name }) => name === 'subject')?.message ?? '', /ada/)
  })

  it('tells what is wrong with one that expired, is from elsewhere, or is no token', async () => {
    const nowS = clock.now() / 1000
    const claims = { iss: 'millrace', aud: 'millrace', sub: 'ada', exp: nowS + 60 }
    const stranger = await makeSigningKey('EdDSA')
    assert.deepEqual(failed(await explain(await signToken(stranger, claims))), ['key', 'signature'])
    const many = await signToken(stranger, { ...claims, iss: 'https://elsewhere.example', exp: nowS - 31 })
    const explained = await explain(many)
    assert.deepEqual([explained.accepted, failed(explained)], [false, ['issuer', 'expired', 'key', 'signature']])
    assert.equal(failed(await explain('not a token'))[0], 'format')
  })

  it('tells what a good API key may do, without counting that as its use', async () => {
    const { id, key } = await makeKey('ada')
    const { accepted, kind, checks } = await explain(key)
    assert.deepEqual([accepted, kind], [true, 'api-key'])
    assert.match(checks[1]?.message ?? '', /key of ada, role editor/)
    assert.equal((await test.call('GET', `/api/api-keys/${id}`, { as: 'admin' })).body.lastUsedAt, null)
  })

  it('tells why an API key is refused: mistyped, revoked, expired, of a disabled user', async () => {
    const { id, key } = await makeKey('ada')
    assert.deepEqual(failed(await explain(key.slice(0, -1))), ['format'])
    await test.call('DELETE', `/api/api-keys/${id}`, { as: 'admin' })
    assert.deepEqual(failed(await explain(key)), ['key'])

    const passing = await makeKey('ada', '2026-01-01T00:01:00Z')
    clock.advance(60_000)
    assert.deepEqual(failed(await explain(passing.key)), ['expired'])

    const orphan = await makeKey('leaver')
    await test.call('PUT', `/api/users/${orphan.ownerId}`, { as: 'admin', body: { disabled: true } })
    const explained = await explain(orphan.key)
    assert.deepEqual([explained.accepted, failed(explained)], [false, ['disabled']])
  })

  it('is for administrators', async () => {
    const { status } = await test.call('POST', '/api/users/explain-token', { as: 'editor', body: { token: 'x' } })
    assert.equal(status, 403)
  })

  it('keeps no token that it was asked about, and logs none', async () => {
    const intruder = await openIntruder(test.database)
    const stored = await intruder.everything()
    await intruder.close()
    assert.match(stored, /leaver/, 'this is where it would be')
    const logged = test.logged.join('')
    for (const token of asked) {
      assert.ok(!stored.includes(token), 'stored')
      assert.ok(!logged.includes(token), 'logged')
    }
  })
})
