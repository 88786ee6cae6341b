import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { AREAS } from '../../../areas.ts'

describe('rules that are evaluated by themselves', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  const resultsOf = async (ruleId: string) => (await world.get(`results?ruleId=${ruleId}`)).results

  it('are so after an object was written that is among their data', async () => {
    const rule = { type: 'rowCount', config: { min: 2 }, on: ['object'] }
    const days = await world.make({ name: 'days', dataset: 'object://lake/days/*.csv', ...rule })
    const other = await world.make({ name: 'other', dataset: 'object://lake/other.csv', ...rule })
    await world.put('days/1.csv', 'id\n1\n')
    const [result] = await eventually(async () => {
      const results = await resultsOf(days)
      assert.equal(results.length, 1)
      return results
    })
    assert.deepEqual([result.status, result.cause, result.measured], ['failed', 'object', 1])
    assert.deepEqual(await resultsOf(other), [])
  })

  it('tell alerts that they fail until they pass, with what is downstream', async () => {
    const { metadata, clock } = world.test.platform
    const dataset = 'object://lake/source.csv'
    const lineage = await world.test.app.service('lineage')
    await metadata.transaction((tx) =>
      lineage.saw(tx, [
        {
          job: { reference: 'job://test/report' },
          run: { id: 'r1', state: 'completed', timeMs: clock.now(), isWhole: true },
          inputs: [{ reference: dataset }],
          outputs: [{ reference: 'dataset://shop/report' }],
          columns: [],
          provenance: { how: 'captured', who: 'test' }
        }
      ])
    )
    const id = await world.make({ name: 'watched', dataset, type: 'notNull', config: { column: 'a' } })
    const event = AREAS.find(({ name }) => name === 'quality')?.alertEvents?.['quality-rule.failed']
    const told = async () => {
      const { happenings } = (await event?.since(metadata.db, null, clock.now())) ?? assert.fail()
      return happenings.filter(({ qualityRule }) => qualityRule === id)
    }
    await world.put('source.csv', 'a,b\n,1\n')
    await world.evaluate({ dataset })
    const labels = { dataset, qualityRule: id, qualityRuleName: 'watched', qualitySeverity: 'error' }
    assert.deepEqual(await told(), [{ ...labels, downstream: '1: dataset://shop/report' }])
    // What can't be asked has not recovered.
    await world.put('source.csv', 'b\n1\n')
    const { results } = await world.evaluate({ dataset })
    assert.equal(results[0].status, 'notEvaluated')
    assert.deepEqual(await told(), [{ ...labels, downstream: '1: dataset://shop/report' }])
    await world.put('source.csv', 'a,b\n1,1\n')
    await world.evaluate({ dataset })
    assert.deepEqual(await told(), [])
  })

  it('tell alerts of data that are not there, until they are', async () => {
    const { metadata, clock } = world.test.platform
    const dataset = 'object://lake/late.csv'
    const id = await world.make({ name: 'awaited', dataset, type: 'notNull', config: { column: 'a' } })
    const event = AREAS.find(({ name }) => name === 'quality')?.alertEvents?.['quality-rule.without-data']
    const missing = async () => {
      const { happenings } = (await event?.since(metadata.db, null, clock.now())) ?? assert.fail()
      return happenings.filter(({ qualityRule }) => qualityRule === id).map((one) => one.missing)
    }
    assert.deepEqual(await missing(), [])
    await world.evaluate({ dataset })
    assert.deepEqual(await missing(), ['no_data'])
    await world.put('late.csv', 'b\n1\n')
    await world.evaluate({ dataset })
    assert.deepEqual(await missing(), ['column_missing'])
    await world.put('late.csv', 'a\n1\n')
    await world.evaluate({ dataset })
    assert.deepEqual(await missing(), [])
  })

  it('are so by a schedule, whose run says what came of it', async () => {
    const dataset = 'object://lake/nightly.csv'
    const first = await world.make({ name: 'nightly', dataset, type: 'rowCount', config: { min: 5 } })
    await world.put('nightly.csv', 'a\n1\n')
    const schedule = (config: object) =>
      world.test.call('POST', '/api/scheduler/schedules', {
        as: 'admin',
        body: {
          name: `s ${JSON.stringify(config)}`.slice(0, 100),
          cron: '0 3 * * *',
          target: { type: 'quality', config }
        }
      })
    const bad = await schedule({ ruleIds: ['qr_none'] })
    assert.deepEqual([bad.status, bad.body.errors?.[0].pointer], [400, '/target/config/ruleIds/0'])
    assert.equal((await schedule({})).status, 400)
    const { body, status, text } = await schedule({ dataset })
    assert.equal(status, 201, text)
    await world.test.call('POST', `/api/scheduler/schedules/${body.id}/run`, { as: 'admin' })
    const [result] = await eventually(async () => {
      const results = await resultsOf(first)
      assert.equal(results.length, 1)
      return results
    })
    assert.deepEqual([result.cause, result.status], ['schedule', 'failed'])
    await eventually(async () => {
      const path = `/api/scheduler/schedules/${body.id}/history`
      const [run] = (await world.test.call('GET', path, { as: 'admin' })).body.runs
      assert.deepEqual([run.state, run.reason], ['succeeded', '1 rules, 1 failed; failed: nightly'])
    })
  })
})
