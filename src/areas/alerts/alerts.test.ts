import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { alertsOf, evaluateAfter, makeRule, readRule, statesOf } from '../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSource, writeLines } from '../../../test/support/catalog.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'

describe('an alert rule', () => {
  const clock = new ManualClock('2026-03-01T12:00:00.000Z')
  let test: TestApp
  let sourceId: string
  before(async () => {
    test = await startTestApp({ clock })
    sourceId = await makeSource(test, 'plant')
  })
  after(() => test.close())

  const write = (tag: string, value: number) => writeLines(test, 'plant', `${tag} value=${value} ${clock.now() - 1}`)
  const condition = (tag: string) => ({ sourceId, tag, function: 'last', window: '1h', operator: '>', threshold: 80 })

  it('fires when points are beyond its threshold, is acknowledged, and resolves by itself', async () => {
    await write('oil', 75)
    const { id, state } = await makeRule(test, {
      name: 'oil too hot',
      condition: condition('oil'),
      intervalSeconds: 10,
      for: '30s',
      severity: 'critical',
      labels: { team: 'presses' },
      annotations: { summary: 'Too hot' }
    })
    assert.equal(state, null)
    await evaluateAfter(test, clock, id, 0)
    assert.deepEqual([(await readRule(test, id)).state, await alertsOf(test, id)], ['normal', []])

    await write('oil', 91.5)
    await evaluateAfter(test, clock, id, 5000)
    assert.deepEqual([(await readRule(test, id)).state, await alertsOf(test, id)], ['pending', []])
    await evaluateAfter(test, clock, id, 30_000)
    assert.deepEqual(await statesOf(test, id), { oil: 'firing' })
    const [alert, ...others] = await alertsOf(test, id)
    assert.deepEqual(others, [])
    assert.deepEqual(
      { state: alert.state, value: alert.value, threshold: alert.threshold, severity: alert.severity },
      { state: 'firing', value: 91.5, threshold: 80, severity: 'critical' }
    )
    assert.deepEqual(alert.labels, { source: sourceId, tag: 'oil', team: 'presses' })
    assert.deepEqual(alert.annotations, { summary: 'Too hot' })

    const acknowledged = await test.call('POST', `/api/alerts/history/${alert.id}/acknowledge`, {
      as: 'editor',
      body: { note: 'pump is being changed' }
    })
    assert.deepEqual(
      [acknowledged.status, acknowledged.body.state, acknowledged.body.note],
      [200, 'acknowledged', 'pump is being changed']
    )
    await evaluateAfter(test, clock, id, 10_000)
    assert.equal((await alertsOf(test, id)).length, 1)

    await write('oil', 60)
    await evaluateAfter(test, clock, id, 5000)
    const [resolved] = await alertsOf(test, id)
    assert.deepEqual(
      [resolved.state, resolved.resolveReason, resolved.resolvedBy, resolved.note],
      ['resolved', 'recovered', null, 'pump is being changed']
    )
    assert.equal((await readRule(test, id)).state, 'normal')
  })
})
