import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { alertsOf, evaluateAfter, makeRule, statesOf } from '../../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { makeSource, writeLines } from '../../../../test/support/catalog.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { alertWorkers } from '../upkeep.ts'
import { deleteOldAlerts } from './store.ts'

describe('an alert', () => {
  const clock = new ManualClock('2026-03-01T12:00:00.000Z')
  let test: TestApp
  let sourceId: string
  let ruleId: string
  let alertId: string
  let made = 0
  before(async () => {
    test = await startTestApp({ clock })
    sourceId = await makeSource(test, 'plant')
  })
  after(() => test.close())

  const write = (value: number) => writeLines(test, 'plant', `tag${made} value=${value} ${clock.now() - 1}`)
  const evaluate = (ms = 5000) => evaluateAfter(test, clock, ruleId, ms)
  const act = (what: string, body: object = {}) =>
    test.call('POST', `/api/alerts/history/${alertId}/${what}`, { as: 'editor', body })

  beforeEach(async () => {
    made++
    await write(90)
    const condition = { sourceId, tag: `tag${made}`, function: 'last', window: '1d', operator: '>', threshold: 80 }
    const rule = { name: `rule ${made}`, condition, intervalSeconds: 10, severity: made % 2 ? 'error' : 'info' }
    ruleId = (await makeRule(test, rule)).id
    await evaluate(0)
    alertId = (await alertsOf(test, ruleId))[0].id
  })

  it('that somebody resolves stays over until the condition was false once', async () => {
    const { status, body } = await act('resolve', { note: 'known' })
    assert.deepEqual([status, body.state, body.resolveReason, body.note], [200, 'resolved', 'manual', 'known'])
    assert.match(body.resolvedBy, /^usr_/)
    await evaluate()
    await evaluate()
    assert.equal((await alertsOf(test, ruleId)).length, 1)
    assert.deepEqual(Object.values(await statesOf(test, ruleId)), ['normal'])
    await write(10)
    await evaluate()
    await write(90)
    await evaluate()
    assert.deepEqual(
      (await alertsOf(test, ruleId)).map(({ state }) => state),
      ['firing', 'resolved']
    )
  })

  it('that is resolved can’t be acknowledged or resolved again', async () => {
    await act('resolve')
    for (const what of ['resolve', 'acknowledge']) {
      const { status, body } = await act(what)
      assert.deepEqual(
        [status, body.code, body.currentStatus, body.operation],
        [409, 'illegal_transition', 'resolved', what]
      )
      assert.deepEqual(body.allowedFrom, ['firing', 'acknowledged'])
    }
  })

  it('that was acknowledged until a time fires again then', async () => {
    const past = await act('acknowledge', { until: '2026-01-01T00:00:00.000Z' })
    assert.deepEqual([past.status, past.body.errors[0].pointer], [400, '/until'])
    const until = new Date(clock.now() + 60_000).toISOString()
    const { body } = await act('acknowledge', { until })
    assert.deepEqual([body.state, body.acknowledgedUntil], ['acknowledged', until])
    await evaluate(30_000)
    assert.equal((await alertsOf(test, ruleId))[0].state, 'acknowledged')
    await evaluate(60_000)
    const [alert, ...others] = await alertsOf(test, ruleId)
    assert.deepEqual([alert.state, alert.id, others.length], ['firing', alertId, 0])
  })

  it('is audited where a person changes it, and only by those who may', async () => {
    const refused = await test.call('POST', `/api/alerts/history/${alertId}/resolve`, { as: 'viewer', body: {} })
    assert.deepEqual([refused.status, refused.body.permission], [403, 'alerts:write'])
    await act('acknowledge', { note: 'mine' })
    const { body } = await test.call('GET', '/api/audit/logs?action=alert.acknowledge', { as: 'admin' })
    assert.equal(body.logs[0].resourceId, alertId)
    assert.equal((await test.call('GET', '/api/alerts/history/alt_nobody', { as: 'viewer' })).status, 404)
  })

  it('is found by state, rule, severity, time and label', async () => {
    const ids = async (query: string) => {
      const { body } = await test.call('GET', `/api/alerts/history?${query}`, { as: 'viewer' })
      return body.alerts.map(({ id }: { id: string }) => id)
    }
    assert.deepEqual(await ids(`state=firing&ruleId=${ruleId}`), [alertId])
    assert.deepEqual(await ids(`state=resolved&ruleId=${ruleId}`), [])
    assert.deepEqual(await ids(`label=tag:tag${made}`), [alertId])
    assert.deepEqual(await ids(`ruleId=${ruleId}&severity=critical`), [])
    assert.deepEqual(await ids(`ruleId=${ruleId}&from=-1h`), [alertId])
    assert.deepEqual(await ids(`ruleId=${ruleId}&to=-1h`), [])
    assert.equal((await test.call('GET', '/api/alerts/history?label=x', { as: 'viewer' })).status, 400)
    assert.equal((await test.call('GET', '/api/alerts/history?from=x', { as: 'viewer' })).status, 400)
  })

  it('that is resolved is kept for a while, and then deleted in pieces; open ones stay', async () => {
    await act('resolve')
    const { metadata } = test.platform
    const later = new Date(clock.now() + 1000).toISOString()
    const before = (await test.call('GET', '/api/alerts/history?state=resolved', { as: 'viewer' })).body.total
    assert.ok(before > 1)
    const prune = async (now: string) => {
      const parts = { ...test.platform, clock: new ManualClock(now), evaluator: undefined, history: undefined }
      const run = { signal: new AbortController().signal, commit: (work: never) => metadata.transaction(work) }
      await alertWorkers(parts as never)['alerts.prune']?.(run as never)
    }
    await prune(new Date(clock.now() + 89 * 86_400_000).toISOString())
    assert.equal((await test.call('GET', `/api/alerts/history/${alertId}`, { as: 'viewer' })).status, 200)
    assert.equal(await metadata.transaction((tx) => deleteOldAlerts(tx, later, 1)), 1)
    await prune(new Date(clock.now() + 91 * 86_400_000).toISOString())
    assert.equal((await test.call('GET', `/api/alerts/history/${alertId}`, { as: 'viewer' })).status, 404)
    const left = await metadata.db.selectFrom('alerts').select('state').execute()
    assert.ok(left.length > 0 && left.every(({ state }) => state !== 'resolved'))
  })
})
