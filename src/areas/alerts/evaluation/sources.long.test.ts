import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { alertsOf, evaluateAfter, makeRule, readRule, statesOf } from '../../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { makeSource, writeLines } from '../../../../test/support/catalog.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { SeriesError } from '../../../engines/series/index.ts'
import { failedRuns } from '../../pipelines/health/failed-runs.ts'
import { type PointsCondition, type PointsNeeds, readPoints } from './points.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z')

describe('a rule', () => {
  const clock = new ManualClock('2026-03-01T12:00:00.000Z')
  let test: TestApp
  let sourceId: string
  before(async () => {
    test = await startTestApp({ clock })
    sourceId = await makeSource(test, 'plant')
    const lines = ['1', '2', '3'].map((line) => `press,line=${line} value=${line}0 ${NOW_MS - 1000}`)
    await writeLines(test, 'plant', lines.join('\n'))
  })
  after(() => test.close())

  it('about a pipeline fires when its run fails, and is over when it is started again', async () => {
    const nodes = [
      { id: 'made', type: 'generate', config: { count: 5, fields: { n: "error('broken')" } }, inputs: [] },
      {
        id: 'kept',
        type: 'series',
        config: { source: sourceId, time: 'now()', tag: "'n'", value: 'n' },
        inputs: ['made']
      }
    ]
    const {
      status,
      body: pipeline,
      text
    } = await test.call('POST', '/api/pipelines', {
      as: 'editor',
      body: { name: 'fragile', nodes }
    })
    assert.equal(status, 201, text)
    const become = (status: 'failed' | 'running' | 'stopped') =>
      test.platform.metadata.transaction((tx) =>
        tx.updateTable('pipelines').set({ status }).where('id', '=', pipeline.id).execute()
      )
    const condition = { event: 'pipeline-run.failed', filter: { pipelineName: 'frag*' } }
    const { id } = await makeRule(test, { name: 'pipeline', condition, intervalSeconds: 10 })
    await evaluateAfter(test, clock, id, 0)
    assert.deepEqual(await statesOf(test, id), {})
    await become('failed')
    await evaluateAfter(test, clock, id, 5000)
    const [alert] = await alertsOf(test, id)
    assert.deepEqual([alert.state, alert.labels], ['firing', { pipeline: pipeline.id, pipelineName: 'fragile' }])
    await become('running')
    await evaluateAfter(test, clock, id, 5000)
    assert.equal((await alertsOf(test, id))[0].state, 'resolved')
    assert.deepEqual(await statesOf(test, id), {})
    await become('stopped')
  })

  it('about a pipeline hears of a run that failed though it runs again', async () => {
    const { metadata, clock: now, makeId } = test.platform
    const { id } = await metadata.db.selectFrom('pipelines').select('id').executeTakeFirstOrThrow()
    const run = {
      id: makeId('run'),
      pipeline_id: id,
      number: 1,
      version: 1,
      status: 'failed',
      owner: null,
      fence: 1,
      failures: 1,
      due_ms: 0,
      ledger: '{}',
      nodes: '[]',
      error: null,
      started_by: 'x',
      started_at: now.iso(),
      ended_at: now.iso()
    }
    await metadata.transaction((tx) =>
      tx
        .insertInto('pipeline_runs')
        .values(run as never)
        .execute()
    )
    const first = await failedRuns(metadata.db, null, now.now())
    assert.deepEqual(first.happenings, [], 'what was over before the rule was made')
    const again = await failedRuns(metadata.db, first.cursor, now.now())
    assert.deepEqual(again.happenings, [{ pipeline: id, pipelineName: 'fragile' }])
    const later = await failedRuns(metadata.db, again.cursor, now.now() + 120_000)
    assert.deepEqual((await failedRuns(metadata.db, later.cursor, now.now() + 180_000)).happenings, [])
  })

  it('keeps the source that it reads from being deleted', async () => {
    const other = await makeSource(test, 'other')
    const condition = { sourceId: other, tag: 'a', function: 'last', window: '1m', operator: '>', threshold: 1 }
    const { id } = await makeRule(test, { name: 'user', condition })
    const refused = await test.call('DELETE', `/api/catalog/sources/${other}`, { as: 'editor' })
    assert.deepEqual([refused.status, refused.body.usedBy], [409, [{ type: 'alert-rule', id, name: 'user' }]])
    assert.equal((await test.call('DELETE', `/api/catalog/sources/${other}?force=true`, { as: 'editor' })).status, 204)
    await test.call('DELETE', `/api/alerts/rules/${id}`, { as: 'editor' })
  })

  it('about SQL has an instance for each row, with its texts as labels', async () => {
    const sql = 'SELECT tag, max(value) AS value, count(*) AS points FROM input GROUP BY tag'
    const condition = { reference: `series://${sourceId}`, sql, operator: '>=', threshold: 20 }
    const { id } = await makeRule(test, { name: 'sql', condition, intervalSeconds: 10 })
    await evaluateAfter(test, clock, id, 0)
    assert.deepEqual(await statesOf(test, id), {
      'press{line=1}': 'normal',
      'press{line=2}': 'firing',
      'press{line=3}': 'firing'
    })
    const alerts = await alertsOf(test, id)
    assert.deepEqual(alerts.map(({ value, threshold }) => [value, threshold]).sort(), [
      [20, 20],
      [30, 20]
    ])
    await test.call('DELETE', `/api/alerts/rules/${id}`, { as: 'editor' })

    const strange = "SELECT 'a' || chr(0) || 'b' AS label, 'inf'::DOUBLE AS value"
    const infinite = await makeRule(test, { name: 'infinite', condition: { ...condition, sql: strange } })
    await evaluateAfter(test, clock, infinite.id, 0)
    const [alert] = await alertsOf(test, infinite.id)
    assert.deepEqual([alert.labels, alert.value], [{ label: 'a\ufffdb' }, null])
    await test.call('DELETE', `/api/alerts/rules/${infinite.id}`, { as: 'editor' })

    const wrong = await makeRule(test, { name: 'wrong', condition: { ...condition, sql: 'SELECT nothing FROM input' } })
    await evaluateAfter(test, clock, wrong.id, 0)
    const { state, lastEvaluation } = await readRule(test, wrong.id)
    assert.equal(state, 'error')
    assert.match(lastEvaluation.error, /nothing/)
  })
})

describe('questions about points', () => {
  const condition = (sourceId: string, tag: string, more: Partial<PointsCondition> = {}): PointsCondition => ({
    kind: 'points',
    sourceId,
    tag,
    function: 'max',
    windowMs: 60_000,
    operator: '>',
    threshold: 5,
    ...more
  })
  const needsWith = (query: () => never, sources: string[] = []): PointsNeeds => ({
    clock: new ManualClock(),
    log: { error: () => {} },
    sourceExists: async (id) => void sources.push(id) === undefined,
    series: async () => ({ query: async () => query(), tags: async () => assert.fail() }) as never
  })
  const { signal } = new AbortController()

  it('about one source are asked together, and not asked on once it fails: all have the same cause', async () => {
    let asked = 0
    const needs = needsWith(() => {
      asked++
      throw new SeriesError('unavailable', 'away')
    })
    const conditions = ['1', '2', '3'].flatMap((tag) => [
      condition('src_a', tag),
      condition('src_a', tag, { function: 'min' })
    ])
    const found = [...(await readPoints(needs, conditions, NOW_MS, signal)).values()]
    assert.equal(asked, 1)
    assert.deepEqual(
      new Set(found.map((one) => ('cause' in one ? one.cause : ''))),
      new Set(['source src_a: series_unavailable'])
    )
    assert.equal(found.length, conditions.length)
  })

  it('about many sources end soon where none answers', async () => {
    let asked = 0
    const needs = needsWith(() => {
      asked++
      throw new SeriesError('unavailable', 'away')
    })
    const conditions = Array.from({ length: 500 }, (_, n) => condition(`src_${n}`, 'a'))
    const found = await readPoints(needs, conditions, NOW_MS, signal)
    assert.equal(found.size, 500)
    assert.ok(asked < 10, `${asked}`)
  })
})
