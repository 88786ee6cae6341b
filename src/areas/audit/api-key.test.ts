import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createVault } from '../../engines/vault/index.ts'
import { createAuditKeys } from './chain.ts'
import { auditMigrations } from './migrations.ts'
import { verifyAudit } from './verify.ts'

let test: TestApp

before(async () => {
  test = await startTestApp()
})
after(() => test.close())

interface Log {
  action: string
  status: number
  apiKey: { id: string; name: string } | null
}

const logs = async (query: string): Promise<Log[]> =>
  (await test.call('GET', `/api/audit/logs?${query}`, { as: 'admin' })).body.logs

const makeKey = async (name: string) =>
  (await test.call('POST', '/api/api-keys', { as: 'editor', body: { name } })).body as { id: string; key: string }

describe('an audit row', () => {
  it('names the API key by the name it had, also when the key is gone, and is found by it', async () => {
    const { id, key } = await makeKey('nightly \u{1f600}')
    const other = await makeKey('other')
    const tag = { resource: 'pipeline://p', level: 'internal' }
    await test.call('POST', '/api/classification/resources', { as: { token: key }, body: tag })
    await test.call('GET', '/api/users', { as: { token: key } })
    await test.call('GET', '/api/users', { as: { token: other.key } })
    await test.call('DELETE', `/api/api-keys/${id}`, { as: 'editor' })
    const apiKey = { id, name: 'nightly \u{1f600}' }
    assert.deepEqual(
      (await logs(`apiKeyId=${id}&sort=time`)).map((row) => [row.action, row.status, row.apiKey]),
      [
        ['classification.tag', 201, apiKey],
        ['listUsers', 403, apiKey]
      ]
    )
    assert.deepEqual(
      (await logs(`apiKeyId=${id}&outcome=refused`)).map(({ action }) => action),
      ['listUsers']
    )
    assert.equal((await logs('apiKeyId=key_nobody')).length, 0)
  })

  it('names none where a token was shown, and one that is no longer believed', async () => {
    const { id, key } = await makeKey('revoked')
    await test.call('DELETE', `/api/api-keys/${id}`, { as: { token: key } })
    await test.call('GET', '/api/users/me', { as: { token: key } })
    const [refused] = await logs('action=sign-in')
    assert.deepEqual([refused?.status, refused?.apiKey], [401, { id, name: 'revoked' }])
    const created = await logs(`resourceId=${id}&action=api-key.create`)
    assert.deepEqual(
      created.map(({ apiKey }) => apiKey),
      [null]
    )
    const ownEnd = await logs(`resourceId=${id}&action=api-key.revoke`)
    assert.deepEqual(
      ownEnd.map(({ apiKey }) => apiKey),
      [{ id, name: 'revoked' }]
    )
  })

  it('has the key in both exports', async () => {
    const { id, key } = await makeKey('exported')
    await test.call('GET', '/api/users', { as: { token: key } })
    const exported = async (accept: string) =>
      (await test.call('GET', `/api/audit/logs?apiKeyId=${id}`, { as: 'admin', headers: { accept } })).text
    const row = JSON.parse(await exported('application/x-ndjson'))
    assert.deepEqual([row.api_key_id, row.api_key_name], [id, 'exported'])
    const [heading, line] = (await exported('text/csv')).split('\r\n')
    const columns = heading?.split(',') ?? []
    assert.equal(columns.indexOf('api_key_name') - columns.indexOf('api_key_id'), 1)
    assert.ok(line?.includes(`${id},exported`))
  })
})

/** The 16 columns that the version before hashed. Written out here, because stored rows do not change with the code. */
const OLD_COLUMNS =
  'lane seq id time user_id user_name action resource_type resource_id outcome status code ip user_agent request_id changes'

function oldRow(seq: number, previous: string) {
  const row: Record<string, string | number | null> = {
    lane: 0,
    seq,
    id: `aud_${seq}`,
    time: '2026-01-01T00:00:00.000Z',
    user_id: 'usr_1',
    user_name: 'Ada',
    action: 'user.update',
    resource_type: 'user',
    resource_id: 'usr_1',
    outcome: 'success',
    status: 200,
    code: null,
    ip: '127.0.0.1',
    user_agent: null,
    request_id: 'req_1',
    changes: '{}'
  }
  const values = JSON.stringify(OLD_COLUMNS.split(' ').map((column) => row[column]))
  const hash = createHash('sha256').update(`${previous}\n${values}`).digest('base64url')
  return { ...row, previous_hash: previous, hash }
}

describe('a trail of the version before', () => {
  it('verifies before and after the upgrade, and shows a key that was put into it', async () => {
    const database = await createTestDatabase()
    const metadata = await database.open()
    const keys = createAuditKeys(createVault(['a secret that is long enough for this']))
    const verdict = async () => {
      const { ok, rowsChecked, firstBad } = await verifyAudit(metadata.db, keys, [])
      return [ok, rowsChecked, firstBad?.seq]
    }
    try {
      await metadata.migrate(auditMigrations.slice(0, 1))
      const first = oldRow(1, 'genesis')
      const second = oldRow(2, first.hash)
      const head = { lane: 0, seq: 2, hash: second.hash }
      await metadata.transaction(async (tx) => {
        await tx
          .insertInto('audit_logs')
          .values([first, second] as never)
          .execute()
        await tx
          .updateTable('audit_heads')
          .set({ ...head, code: keys.headCode(head) })
          .where('lane', '=', 0)
          .execute()
      })
      assert.deepEqual(await verdict(), [true, 2, undefined], 'by the command line of the new version')
      await metadata.migrate(auditMigrations)
      assert.deepEqual(await verdict(), [true, 2, undefined])
      for (const forged of [{ api_key_id: 'key_1' }, { api_key_name: '' }]) {
        const untouched = { api_key_id: null, api_key_name: null }
        const write = (set: object) =>
          metadata.transaction((tx) => tx.updateTable('audit_logs').set(set).where('seq', '=', 2).execute())
        await write(forged)
        assert.deepEqual(await verdict(), [false, 0, 2])
        await write(untouched)
      }
      assert.deepEqual(await verdict(), [true, 2, undefined])
    } finally {
      await metadata.close()
      await database.drop()
    }
  })
})
