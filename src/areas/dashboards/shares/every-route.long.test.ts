import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { addressOf } from '../../../http/route.ts'

describe('the token of a share', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  it('opens nothing but the dashboard: every operation is tried with it', async () => {
    const { body } = await test.call('POST', '/api/dashboards', { as: 'editor', body: { name: 'Hall' } })
    const { token } = (await test.call('POST', `/api/dashboards/${body.id}/share`, { as: 'editor', body: {} })).body
    assert.equal((await test.call('GET', `/api/dashboards/shared/${token}/dashboard`)).status, 200)
    const routes = (await test.app.load()).flatMap((area) => area.routes)
    assert.ok(routes.length > 200)
    const open: string[] = []
    for (const route of routes) {
      if (route.permission === 'public') continue
      const path = addressOf(route).replace(/:\w+/g, body.id)
      for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-share-token': token }]) {
        const sent = route.method === 'GET' || route.method === 'DELETE' ? undefined : {}
        const { status } = await test.call(route.method, path, { headers, body: sent })
        if (status !== 401) open.push(`${route.method} ${path} ${status}`)
      }
    }
    assert.deepEqual(open, [])
  })
})
