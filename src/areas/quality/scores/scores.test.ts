import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { overallHistory } from './history.ts'
import { coverageOf, NO_RULES, type Scored, scoreOf } from './score.ts'

describe('a score', () => {
  const rule = (
    status: Scored['status'],
    severity: Scored['severity'],
    dimension: Scored['dimension'] = 'validity'
  ) => ({
    status,
    severity,
    dimension
  })

  it('is the mean of what rules are worth, weighted by severity', () => {
    const { score, dimensions, rules } = scoreOf([
      rule('passed', 'critical'),
      rule('failed', 'error', 'uniqueness'),
      rule('warned', 'warning', 'uniqueness'),
      rule('passed', 'info')
    ])
    // (8 × 100 + 4 × 0 + 2 × 50 + 1 × 100) / 15, and (4 × 0 + 2 × 50) / 6
    assert.equal(score, 66.67)
    assert.deepEqual(dimensions, [
      { dimension: 'uniqueness', score: 16.67, rules: 2 },
      { dimension: 'validity', score: 100, rules: 2 }
    ])
    assert.deepEqual(rules, { passed: 2, warned: 1, failed: 1, error: 0, notEvaluated: 0, pending: 0 })
  })

  it('leaves out what says nothing of the data', () => {
    assert.equal(
      scoreOf([
        rule('passed', 'info'),
        rule('error', 'critical'),
        rule('notEvaluated', 'critical'),
        rule(null, 'critical')
      ]).score,
      100
    )
    assert.equal(scoreOf([rule('error', 'critical')]).score, null)
  })

  it('says how many of the rules it stands on', () => {
    const of = (...statuses: Scored['status'][]) => coverageOf(scoreOf(statuses.map((one) => rule(one, 'info'))).rules)
    assert.equal(of('passed', 'warned', 'failed'), 100)
    assert.equal(of('passed', 'error', 'notEvaluated', null, 'failed', 'error'), 33.33)
    assert.equal(coverageOf(NO_RULES), null)
  })

  it('of all datasets is the mean of theirs, each time that one of them moved', () => {
    const at = (dataset: string, score: number | null, day: number) => ({ dataset, score, at: `2026-01-0${day}` })
    const history = overallHistory(
      '2026-01-02',
      [at('a', 100, 1), at('b', 50, 1)],
      [at('b', 0, 3), at('c', 100, 4), at('a', null, 4), at('a', null, 5)]
    )
    assert.deepEqual(history, [
      { at: '2026-01-02', score: 75 },
      { at: '2026-01-03', score: 50 },
      { at: '2026-01-04', score: 50 }
    ])
  })
})

describe('scores of datasets', () => {
  let world: QualityWorld
  const dataset = 'object://lake/orders.csv'
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  it('say what they are, what moved them and since when; and lineage knows of them', async () => {
    const critical = await world.make({
      name: 'customer',
      dataset,
      type: 'notNull',
      config: { column: 'customer' },
      severity: 'critical'
    })
    await world.make({ name: 'some rows', dataset, type: 'rowCount', config: { min: 1 }, severity: 'info' })
    await world.make({ name: 'disabled', dataset, type: 'rowCount', config: { min: 99 }, enabled: false })
    await world.put('orders.csv', 'id,customer\n1,Ada\n2,Bo\n')
    await world.evaluate({ dataset })
    await world.put('orders.csv', 'id,customer\n1,\n2,Bo\n')
    await world.evaluate({ dataset })
    const { overall, scores } = await world.get(`scores?dataset=${encodeURIComponent(dataset)}&from=-1h`)
    const [score] = scores
    assert.deepEqual([score.score, score.rules.passed, score.rules.failed], [11.11, 1, 1])
    assert.deepEqual(score.moved, [{ ruleId: critical, ruleName: 'customer', from: 'passed', to: 'failed' }])
    assert.deepEqual(
      score.history.map((point: { score: number; moved: object[] }) => [point.score, point.moved.length]),
      [
        [100, 2],
        [11.11, 1]
      ]
    )
    assert.deepEqual([overall.score, overall.coverage, overall.datasets, overall.history], [11.11, 100, 1, null])
    assert.equal(score.coverage, 100)
    const all = (await world.get('scores?from=-1h')).overall.history
    assert.deepEqual(
      all.map((point: { score: number }) => point.score),
      [100, 11.11]
    )

    const lineage = await world.test.app.service('lineage')
    await world.test.platform.metadata.transaction((tx) =>
      lineage.saw(tx, [
        {
          job: { reference: 'job://test/import' },
          run: { id: 'r1', state: 'completed', timeMs: Date.now(), isWhole: true },
          inputs: [{ reference: 'dataset://shop/orders' }],
          outputs: [{ reference: dataset }],
          columns: [],
          provenance: { how: 'captured', who: 'test' }
        }
      ])
    )
    const path = `/api/lineage/impact/${encodeURIComponent('dataset://shop/orders')}`
    const { nodes } = (await world.test.call('GET', path, { as: 'viewer' })).body
    const found = nodes.find(({ id }: { id: string }) => id === dataset)
    assert.deepEqual(found.quality, { score: 11.11, failed: 1, rules: 2 })
    assert.ok(nodes.some(({ id }: { id: string }) => id === `job://quality-rule/${critical}`))

    assert.equal((await world.test.call('DELETE', `/api/quality/rules/${critical}`, { as: 'editor' })).status, 204)
    assert.equal((await world.get('scores')).scores[0].score, 100)
    const bad = await world.test.call('GET', '/api/quality/scores?from=yesterday', { as: 'viewer' })
    assert.deepEqual([bad.status, bad.body.errors[0].pointer], [400, '/query/from'])
  })
})
