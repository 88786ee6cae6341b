import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { checkDashboards } from './examine.ts'
import { renderDashboardMetrics } from './metrics.ts'

describe('dashboards, seen from outside', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  it('are counted, with their links', async () => {
    const { config, clock, vault, metadata } = test.platform
    const examine = () => checkDashboards({ config, clock, vault, metadata })
    assert.deepEqual(await examine(), [])
    const maker = { token: await test.token('maker', 'editor') }
    const { body } = await test.call('POST', '/api/dashboards', { as: maker, body: { name: 'Hall' } })
    const share = async (sent: object) => {
      const made = await test.call('POST', `/api/dashboards/${body.id}/share`, { as: maker, body: sent })
      assert.equal(made.status, 201, made.text)
      return made.body
    }
    const { token } = await share({})
    await share({ expiresAt: new Date(clock.now() + 3_600_000).toISOString() })
    const revoked = await share({})
    await test.call('DELETE', `/api/dashboards/${body.id}/shares/${revoked.id}`, { as: maker })
    await test.call('GET', `/api/dashboards/shared/${token}/dashboard`)
    const text = await renderDashboardMetrics(metadata, clock)
    for (const line of [
      'millrace_dashboards 1',
      'millrace_dashboard_shares{status="active"} 2',
      'millrace_dashboard_shares{status="revoked"} 1',
      'millrace_dashboard_share_views 1'
    ]) {
      assert.ok(text.includes(`${line}\n`), text)
    }
    const [well] = await examine()
    assert.equal(well?.message, '1 dashboard(s), 2 link(s) that work, 1 of them without an end')
    const { user } = (await test.call('GET', '/api/users/me', { as: maker })).body
    await test.call('PUT', `/api/users/${user.id}`, { as: 'admin', body: { disabled: true } })
    const [ill] = await examine()
    assert.equal(ill?.level, 'warn')
    assert.match(ill?.message ?? '', /^2 link\(s\) show nothing/)
  })
})
