import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { orders } from '../testing/orders.ts'

const dataset = 'object://lake/orders.csv'

describe('rules about distributions', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  const ask = async (id: string) => (await world.post(`rules/${id}/evaluate`)).body

  it('compare with the first rows that they were asked of, and say what moved', async () => {
    const amount = await world.make({ dataset, type: 'distribution', config: { column: 'amount', method: 'psi' } })
    const shop = await world.make({ dataset, type: 'distribution', config: { column: 'shop' } })
    await world.put('orders.csv', orders(100, [1, 1]))
    const [first] = (await world.evaluate({ dataset })).results
    assert.deepEqual([first.status, first.reason.code, first.drift], ['notEvaluated', 'baseline_made', null])
    const { baselines } = await world.get(`baselines?ruleId=${amount}`)
    assert.deepEqual([baselines[0].rows, baselines[0].kind, baselines[0].column], [400, 'number', 'amount'])
    const same = await ask(shop)
    assert.deepEqual([same.status, same.measured], ['passed', 0])

    await world.put('orders.csv', orders(120, [3, 1, 1]))
    const { results } = await world.evaluate({ dataset })
    const [moved, shops] = results
    assert.deepEqual([moved.status, moved.unit, moved.threshold, moved.reason.code], ['failed', 'psi', 0.1, 'drift'])
    assert.ok(moved.drift.pValue < 1e-10)
    assert.ok(Math.abs(moved.drift.mean.now - moved.drift.mean.before - 20) < 0.2)
    assert.ok(moved.drift.quantiles.every(({ before, now }: Record<string, number>) => Number(now) > Number(before)))
    assert.deepEqual([shops.status, shops.unit], ['failed', 'cramersV'])
    assert.deepEqual(shops.drift.newValues, ['shop 2'])
    assert.deepEqual(shops.drift.moved[0], { what: 'shop 1', before: 50, now: 20 })
    assert.match(shops.reason.message, /^Cramér’s V is 0\.411, more than 0\.1: shop 1 was 50 % and is 20 %\.$/)

    // What has become usual is accepted by deleting the baseline.
    await world.test.call('DELETE', `/api/quality/baselines/${baselines[0].id}`, { as: 'editor' })
    assert.equal((await ask(amount)).reason.code, 'baseline_made')
  })

  it('do not take chance for drift where there are few rows', async () => {
    await world.put('few.csv', 'x\n1\n2\n3\n4\n5\n')
    const few = await world.make({ dataset: 'object://lake/few.csv', type: 'distribution', config: { column: 'x' } })
    await ask(few)
    await world.put('few.csv', 'x\n2\n4\n5\n5\n6\n')
    const { status, measured, reason } = await ask(few)
    assert.deepEqual([status, measured], ['passed', 0.4])
    assert.match(reason.message, /which chance alone may do to 5 rows against 5 \(p = 0\.8/)
  })
})
