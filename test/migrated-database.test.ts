// Both: each kind of database is copied in its own way.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Kysely } from 'kysely'
import { startTestApp, type TestApp } from './support/app.ts'

describe('the databases of two test apps', () => {
  let apps: [TestApp, TestApp]

  before(async () => {
    apps = [await startTestApp(), await startTestApp()]
  })
  after(() => Promise.all(apps.map((app) => app.close())))

  it('have every migration that there is', async () => {
    for (const { platform, app } of apps) {
      const known = app.migrations.map(({ id }) => id)
      const db = platform.metadata.db as unknown as Kysely<{ migrations: { id: string } }>
      const applied = await db.selectFrom('migrations').select('id').execute()
      assert.deepEqual(applied.map(({ id }) => id).sort(), known.sort())
    }
  })

  it('are not the same one', async () => {
    const [one, other] = apps
    assert.equal((await one.call('POST', '/api/api-keys', { as: 'admin', body: { name: 'mine' } })).status, 201)
    assert.deepEqual((await other.call('GET', '/api/api-keys', { as: 'admin' })).body.apiKeys, [])
  })
})
