// Once: what is asked of points, and what follows from it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { makeSource, writeLines } from '../../../../test/support/catalog.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { type PointsCondition, readPoints } from '../evaluation/points.ts'
import { type Found, join } from '../evaluation/readings.ts'
import { mannersOf, parsedConditions } from '../rules/definition.ts'
import { WINDOW_FUNCTIONS } from '../rules/words.ts'
import { Timeline } from './timeline.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const NOW_MS = Date.parse(NOW)
const MINUTE_MS = 60_000

describe('a preview', () => {
  let test: TestApp
  let sourceId: string
  before(async () => {
    test = await startTestApp({ clock: new ManualClock(NOW) })
    sourceId = await makeSource(test, 'plant')
  })
  after(() => test.close())

  const preview = (body: object) => test.call('POST', '/api/alerts/rules/preview', { as: 'editor', body })
  const condition = (tag: string) => ({ sourceId, tag, function: 'avg', window: '5m', operator: '>', threshold: 80 })

  it('tells when a rule would have fired, without keeping anything', async () => {
    const values = [70, 70, 90, 90, 90, 90, 70, 70, 70, 70]
    const lines = values.map((value, n) => `oil value=${value} ${NOW_MS - (values.length - n) * 10 * MINUTE_MS}`)
    await writeLines(test, 'plant', lines.join('\n'))
    const rule = { condition: { ...condition('oil'), window: '10m' }, for: '15m', intervalSeconds: 600 }
    const { status, body, text } = await preview({ ...rule, from: '-2h' })
    assert.equal(status, 200, text)
    const [{ labels, alerts, intervals }] = body.instances
    assert.deepEqual(labels, { source: sourceId, tag: 'oil' })
    assert.deepEqual(alerts, [
      { startedAt: '2026-03-01T11:10:00.000Z', resolvedAt: '2026-03-01T11:30:00.000Z', value: 90 }
    ])
    assert.deepEqual(
      intervals.map(({ state }: { state: string }) => state),
      ['nodata', 'normal', 'pending', 'firing', 'normal']
    )
    assert.deepEqual([body.stepSeconds, body.evaluations, body.notes], [600, 13, []])
    assert.equal((await test.call('GET', '/api/alerts/rules', { as: 'viewer' })).body.total, 0)
  })

  it('is coarser where a week would take too long, and says so', async () => {
    const { body } = await preview({ condition: condition('oil'), intervalSeconds: 10 })
    assert.ok(body.evaluations <= 2000)
    assert.ok(body.stepSeconds > 10)
    assert.match(body.notes[0], /^Evaluated every \d+ seconds rather than every 10/)
  })

  it('says where only the present can be asked', async () => {
    const sql = { reference: `series://${sourceId}`, sql: 'SELECT tag, max(value) AS value FROM input GROUP BY tag' }
    const { body, text } = await preview({ condition: { ...sql, operator: '>', threshold: 80 }, from: '-2h' })
    assert.equal(body.evaluations, 1, text)
    assert.match(body.notes[0], /^SQL reads data as it is now/)
    assert.deepEqual(
      body.instances.map(({ labels, alerts }: { labels: object; alerts: object[] }) => [labels, alerts.length]),
      [[{ tag: 'oil' }, 1]]
    )
    const event = await preview({ condition: { event: 'pipeline-run.failed' } })
    assert.match(event.body.notes[0], /evaluated once, now/)
  })

  it('is refused where it makes no sense', async () => {
    for (const [body, pointer] of [
      [{ condition: condition('oil'), from: 'now', to: '-1h' }, '/from'],
      [{ condition: condition('oil'), to: '2027-01-01' }, '/to'],
      [{ condition: { ...condition('oil'), sourceId: 'src_nobody' } }, '/condition/sourceId']
    ] as const) {
      const answer = await preview(body)
      assert.deepEqual([answer.status, answer.body.errors[0].pointer], [422, pointer], answer.text)
    }
    assert.equal((await preview({ condition: condition('oil'), from: 'yesterday' })).status, 400)
  })

  it('gives the states that evaluations at the same times give', async () => {
    let made = 0
    const needs = { ...test.platform, sourceExists: async () => true }
    const point = fc.record({ atS: fc.integer({ min: 1, max: 3600 }), value: fc.integer({ min: 0, max: 10 }) })
    const spans = fc.constantFrom('10s', '1m', '90s', '2m', '5m')
    const one = fc.record({
      function: fc.constantFrom(...WINDOW_FUNCTIONS),
      window: spans,
      operator: fc.constantFrom('>', '<=', '!='),
      threshold: fc.integer({ min: 0, max: 10 })
    })
    const rule = fc.record({
      points: fc.array(point, { minLength: 1, maxLength: 60 }),
      others: fc.array(point, { maxLength: 30 }),
      conditions: fc.array(one, { minLength: 1, maxLength: 2 }),
      join: fc.constantFrom('and' as const, 'or' as const),
      for: fc.option(spans),
      keepFiringFor: fc.option(spans),
      noData: fc.constantFrom('ok', 'alerting', 'nodata'),
      noDataFor: fc.option(spans),
      intervalSeconds: fc.constantFrom(30, 60, 90)
    })
    await fc.assert(
      fc.asyncProperty(rule, async ({ points, others, conditions, ...rest }) => {
        made++
        const lines = (tag: string, some: typeof points) =>
          some.map(({ atS, value }) => `${tag} value=${value} ${NOW_MS - atS * 1000}`)
        await writeLines(test, 'plant', [...lines(`a${made}`, points), ...lines(`b${made}`, others)].join('\n'))
        const named = conditions.map((some, at) => ({ sourceId, tag: at === 0 ? `[ab]${made}` : `a${made}`, ...some }))
        const { body, text } = await preview({ ...rest, conditions: named, from: '-1h' })
        assert.ok(body.instances, text)
        const definition = { labels: {}, annotations: {}, onError: 'error' as const, ...rest, conditions: named }
        const timeline = new Timeline(mannersOf(definition as never))
        const parsed = parsedConditions(definition as never) as PointsCondition[]
        for (let n = 0; n < body.evaluations; n++) {
          const timeMs = Date.parse(body.from) + n * (body.stepSeconds ?? 0) * 1000
          const found = await readPoints(needs, parsed, timeMs, new AbortController().signal)
          timeline.step(
            join(
              parsed.map((some) => found.get(some) as Found),
              rest.join
            ),
            timeMs
          )
        }
        assert.deepEqual(JSON.parse(JSON.stringify(timeline.instances)), body.instances)
      }),
      { numRuns: 15 }
    )
  })
})
