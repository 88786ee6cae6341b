// Once: rules over HTTP.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeRule } from '../../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { checkAlerts } from '../health/examine.ts'

const points = { sourceId: 'src_a', tag: 'oil', function: 'avg', window: '5m', operator: '>', threshold: 80 }
const sql = { reference: 'object://bucket/a.csv', sql: 'SELECT 1 AS value', operator: '>', threshold: 0 }

describe('alert rules', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp({ clock: new ManualClock() })
  })
  after(() => test.close())

  const create = (body: object) => test.call('POST', '/api/alerts/rules', { as: 'editor', body })

  it('are made with what is usual where nothing is said', async () => {
    const rule = await makeRule(test, { name: 'plain', condition: points })
    const { id, createdAt, updatedAt, ...rest } = rule
    assert.match(id, /^alr_/)
    assert.deepEqual(rest, {
      name: 'plain',
      description: '',
      condition: points,
      conditions: [points],
      join: 'and',
      labels: {},
      annotations: {},
      for: null,
      keepFiringFor: null,
      intervalSeconds: 60,
      noData: 'nodata',
      noDataFor: null,
      onError: 'error',
      severity: 'warning',
      channels: [],
      escalation: [],
      enabled: true,
      state: null,
      lastEvaluation: null,
      version: 1
    })
    assert.equal(createdAt, updatedAt)
    assert.deepEqual((await create({ name: 'plain', condition: points })).body.code, 'name_taken')
  })

  it('are refused with a pointer to each thing that is wrong', async () => {
    for (const [body, pointers] of [
      [{}, ['/condition']],
      [{ condition: points, conditions: [points] }, ['/conditions']],
      [{ condition: { ...points, window: '5 minutes', tag: undefined } }, ['/condition/tag', '/condition/window']],
      [
        { condition: { ...points, sql: 'SELECT 1' } },
        ['/condition/sourceId', '/condition/tag', '/condition/function', '/condition/window', '/condition/reference']
      ],
      [{ condition: { ...points, operator: 'outside' } }, ['/condition/upperThreshold']],
      [{ condition: { ...points, operator: 'inside', upperThreshold: 1 } }, ['/condition/upperThreshold']],
      [{ condition: { ...points, upperThreshold: 100 } }, ['/condition/upperThreshold']],
      [{ condition: { ...sql, reference: 'nowhere' } }, ['/condition/reference']],
      [{ conditions: [points, { event: 'job.given-up' }] }, ['/conditions']],
      [{ condition: { event: 'nothing' } }, ['/condition/event']],
      [{ condition: points, for: '2y', noDataFor: 'soon' }, ['/for', '/noDataFor']]
    ] as const) {
      const answer = await create({ name: 'wrong', ...body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(
        answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
        pointers,
        answer.text
      )
    }
    assert.equal((await create({ name: 'soon', condition: points, intervalSeconds: 1 })).status, 400)
    assert.equal((await create({ name: 'channel', condition: points, channel: [] })).status, 400)
  })

  it('are changed only by whoever has seen them, and listed by name and state', async () => {
    const { id } = await makeRule(test, { name: 'changed', condition: sql, severity: 'info', enabled: false })
    const change = (ifMatch: string) =>
      test.call('PUT', `/api/alerts/rules/${id}`, {
        as: 'editor',
        body: { conditions: [points, sql], join: 'or', for: '5m' },
        headers: { 'if-match': ifMatch }
      })
    const { body } = await change('"v1"')
    assert.deepEqual([body.condition, body.conditions, body.join, body.for], [null, [points, sql], 'or', '5m'])
    assert.deepEqual([body.severity, body.version], ['info', 2])
    assert.equal((await change('"v1"')).status, 412)
    const listed = await test.call('GET', '/api/alerts/rules?q=chang&enabled=false', { as: 'viewer' })
    assert.deepEqual([listed.body.total, listed.body.rules[0].id], [1, id])
    assert.equal((await test.call('DELETE', `/api/alerts/rules/${id}`, { as: 'viewer' })).status, 403)
    assert.equal((await test.call('DELETE', `/api/alerts/rules/${id}`, { as: 'editor' })).status, 204)
    assert.equal((await test.call('GET', `/api/alerts/rules/${id}`, { as: 'viewer' })).status, 404)
  })

  it('may be about what areas say can happen', async () => {
    const { body } = await test.call('GET', '/api/alerts/events', { as: 'viewer' })
    const names = body.events.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.sort(), [
      'alert-channel.failing',
      'alert-rule.failing',
      'classification-suggestion.created',
      'connector.failing',
      'job.given-up',
      'pipeline-run.failed',
      'quality-rule.anomalous',
      'quality-rule.failed',
      'quality-rule.unanswered',
      'quality-rule.without-data',
      'schedule-run.failed',
      'schedule.missed',
      'schedule.paused',
      'storage-provider.failing'
    ])
  })

  it('that can’t be evaluated are named by the doctor', async () => {
    const { config, clock, vault, metadata } = test.platform
    const look = async () =>
      (await checkAlerts({ config, clock, vault, metadata })).map(({ level, message }) => `${level} ${message}`)
    assert.match((await look()).join(), /^ok 1 rules, 0 alerts firing/)
    const broken = { state: 'error', error: 'It is\naway.' } as const
    await metadata.transaction((tx) => tx.updateTable('alert_rules').set(broken).execute())
    assert.deepEqual(await look(), [`warn the rule "plain" can't be evaluated: It is away.`])
  })
})

describe('health of alerts', () => {
  it('says since when evaluations are late', async () => {
    const clock = new ManualClock()
    const test = await startTestApp({ clock })
    try {
      const { metadata } = test.platform
      assert.equal((await test.call('GET', '/api/health')).body.checks.alerts.status, 'ok')
      await makeRule(test, { name: 'late', condition: points })
      const never = { run_at: '9999-01-01T00:00:00.000Z' }
      await metadata.transaction((tx) =>
        tx.updateTable('jobs').set(never).where('kind', '=', 'alerts.evaluate').execute()
      )
      const since = clock.iso()
      clock.advance(61_000)
      const { body } = await test.call('GET', '/api/health')
      assert.match(body.checks.alerts.message, new RegExp(`evaluated late since ${since}`))
    } finally {
      await test.close()
    }
  })
})
