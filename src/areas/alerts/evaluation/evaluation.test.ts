import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { alertsOf, evaluateAfter, makeRule, readRule, statesOf } from '../../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { makeSource, writeLines } from '../../../../test/support/catalog.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'

describe('an evaluation', () => {
  const clock = new ManualClock('2026-03-01T12:00:00.000Z')
  let test: TestApp
  let sourceId: string
  before(async () => {
    test = await startTestApp({ clock })
    sourceId = await makeSource(test, 'plant')
  })
  after(() => test.close())

  const write = (tag: string, value: number | string) =>
    writeLines(test, 'plant', `${tag} value=${value} ${clock.now() - 1}`)
  const points = (tag: string, more: object = {}) => ({
    condition: { sourceId, tag, function: 'max', window: '1m', operator: '>', threshold: 80, ...more },
    intervalSeconds: 10
  })
  const evaluate = (id: string, ms = 10_000) => evaluateAfter(test, clock, id, ms)

  it('has an instance for each tag that a pattern matches, with the labels of the tag; those that vanish are over', async () => {
    await write('press,line=1', 90)
    await write('press,line=2', 10)
    const { id } = await makeRule(test, { name: 'each line', ...points('press{line=*}') })
    await evaluate(id, 0)
    assert.deepEqual(await statesOf(test, id), { '1 press{line=1}': 'firing', '2 press{line=2}': 'normal' })
    const [alert] = await alertsOf(test, id, '&label=line:1')
    assert.deepEqual([alert.labels.line, alert.labels.tag], ['1', 'press{line=1}'])
    assert.deepEqual(await alertsOf(test, id, '&label=line:2'), [])

    await write('press,line=3', 95)
    await evaluate(id, 5000)
    assert.deepEqual((await statesOf(test, id))['3 press{line=3}'], 'firing')

    const deleted = await test.call('DELETE', `/api/catalog/sources/${sourceId}/tags/press%7Bline%3D3%7D`, {
      as: 'editor'
    })
    assert.equal(deleted.status, 204, deleted.text)
    await evaluate(id)
    assert.deepEqual((await statesOf(test, id))['3 press{line=3}'], 'firing', 'it may come back')
    for (let n = 0; n < 3; n++) await evaluate(id)
    assert.equal((await statesOf(test, id))['3 press{line=3}'], undefined)
    const [vanished] = await alertsOf(test, id, '&label=line:3')
    assert.deepEqual([vanished.state, vanished.resolveReason], ['resolved', 'vanished'])
  })

  it('waits for missing data as long as the rule says, and fires only where it says so', async () => {
    const noDataFor = '40s'
    const plain = await makeRule(test, { name: 'quiet tag', ...points('nothing'), noDataFor })
    const alerting = await makeRule(test, { name: 'loud tag', ...points('nothing'), noDataFor, noData: 'alerting' })
    await evaluate(plain.id, 0)
    await evaluate(alerting.id, 0)
    assert.deepEqual(await statesOf(test, plain.id), { nothing: 'normal' })
    await evaluate(plain.id, 50_000)
    await evaluate(alerting.id, 0)
    assert.deepEqual(await statesOf(test, plain.id), { nothing: 'nodata' })
    assert.deepEqual(await alertsOf(test, plain.id), [])
    const [alert] = await alertsOf(test, alerting.id)
    assert.deepEqual([alert.state, alert.value, alert.cause], ['firing', null, 'no data'])
  })

  it('that can’t be made is an error with a sentence, and keeps no other from being made', async () => {
    await write('state', '"on"')
    await write('fine', 1)
    const texts = await makeRule(test, { name: 'texts', ...points('state') })
    const fine = await makeRule(test, { name: 'fine', ...points('fine') })
    const gone = await makeRule(test, {
      name: 'gone',
      condition: { ...points('x').condition, sourceId: 'src_gone' },
      onError: 'alerting',
      intervalSeconds: 10
    })
    await evaluate(texts.id, 0)
    await evaluate(gone.id, 0)
    const [first, second] = [await readRule(test, texts.id), await readRule(test, gone.id)]
    assert.deepEqual([first.state, (await readRule(test, fine.id)).state], ['error', 'normal'])
    assert.match(first.lastEvaluation.error, /"state" holds texts/)
    assert.match(second.lastEvaluation.error, /There is no source src_gone/)
    const [alert] = await alertsOf(test, gone.id)
    assert.deepEqual([alert.state, alert.cause], ['firing', 'source src_gone: not_found'])
    const { body: health } = await test.call('GET', '/api/health')
    assert.match(health.checks.alerts.message, /can't be evaluated: 1 alert rule/)
    const { text } = await test.call('GET', '/metrics', { as: 'viewer' })
    assert.match(text, /^millrace_alert_rules\{state="error"\} 1$/m)
    assert.match(text, /^millrace_alert_evaluations_total\{outcome="failed"\} [1-9]/m)
    for (const { id } of [texts, gone]) await test.call('DELETE', `/api/alerts/rules/${id}`, { as: 'editor' })
    assert.equal((await alertsOf(test, gone.id))[0].resolveReason, 'rule-deleted')
  })

  it('goes on with a rule that was changed, and ends one that is disabled', async () => {
    await write('level', 90)
    const { id } = await makeRule(test, { name: 'level', ...points('level', { window: '1h' }) })
    await evaluate(id, 0)
    const change = (body: object) => test.call('PUT', `/api/alerts/rules/${id}`, { as: 'editor', body })
    const higher = await change({ condition: { ...points('level', { window: '1h' }).condition, threshold: 95 } })
    assert.deepEqual([higher.status, higher.body.version], [200, 2], higher.text)
    await evaluate(id, 1000)
    assert.deepEqual(
      (await alertsOf(test, id)).map(({ state }) => state),
      ['resolved']
    )
    await change({ condition: points('level', { window: '1h' }).condition })
    await evaluate(id, 1000)
    assert.equal((await readRule(test, id)).state, 'firing')
    const { body } = await change({ enabled: false })
    assert.deepEqual([body.state, body.lastEvaluation], [null, null])
    const [alert] = await alertsOf(test, id)
    assert.deepEqual([alert.state, alert.resolveReason], ['resolved', 'rule-disabled'])
    assert.deepEqual(await statesOf(test, id), {})
  })

  it('happens once on each interval, at a time that the rule has for itself', async () => {
    const rows = await test.platform.metadata.db
      .selectFrom('alert_rules')
      .selectAll()
      .where('enabled', '=', 1)
      .execute()
    assert.ok(rows.length >= 3)
    for (const { phase_ms, interval_ms, next_ms } of rows) assert.equal(next_ms % interval_ms, phase_ms)
    assert.ok(new Set(rows.map(({ phase_ms }) => phase_ms)).size > 1)
  })
})
