import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { createTestDatabase } from '../../../test/support/database.ts'

const OLD = 'the-secret-that-was-in-use-before-it-was-replaced'
const NEW = 'the-secret-that-replaces-it-and-is-as-long-as-that'

test('the trail still verifies after its secret was replaced', async () => {
  const database = await createTestDatabase()
  try {
    const first = await startTestApp({ env: { SECRET_KEY: OLD }, database })
    await first.call('POST', '/api/api-keys', { as: 'admin', body: { name: 'before' } })
    await first.app.stop() // leaves a checkpoint
    await first.platform.close()

    const second = await startTestApp({ env: { SECRET_KEY: `${NEW},${OLD}` }, database })
    const untouched = await second.call('GET', '/api/audit/verify', {
      as: { token: await second.token('admin', 'admin') }
    })
    assert.equal(untouched.body.ok, true, untouched.text)
    assert.ok(untouched.body.checkpointsChecked > 0)
    await second.call('POST', '/api/api-keys', { as: 'admin', body: { name: 'after' } })
    const grown = await second.call('GET', '/api/audit/verify', { as: 'admin' })
    assert.equal(grown.body.ok, true, grown.text)
    await second.app.stop()
    await second.platform.close()
  } finally {
    await database.drop()
  }
})
