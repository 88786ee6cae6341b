// Once: addresses of callers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../test/support/app.ts'

const FORGED = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }

async function recordedIp(env: Record<string, string>): Promise<string> {
  const app = await startTestApp({ env })
  try {
    await app.call('GET', '/api/users/me', { headers: FORGED })
    const { body } = await app.call('GET', '/api/audit/logs?action=sign-in', { as: 'admin' })
    return body.logs[0].ip
  } finally {
    await app.close()
  }
}

test('what a caller writes about its own address is not believed', async () => {
  assert.equal(await recordedIp({}), '127.0.0.1')
})

test('behind a proxy, the address that the proxy saw is believed', async () => {
  assert.equal(await recordedIp({ TRUST_PROXY: 'true' }), '198.51.100.7')
})
