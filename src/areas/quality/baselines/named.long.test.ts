import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { orders } from '../testing/orders.ts'

const dataset = 'object://lake/orders.csv'

describe('rules about distributions that name a baseline', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  const ask = async (id: string) => (await world.post(`rules/${id}/evaluate`)).body

  it('compare with it, and it can’t be deleted then', async () => {
    await world.put('training.csv', orders(100, [1, 1]))
    await world.put('orders.csv', orders(120, [3, 1, 1]))
    const made = await world.post('baselines', {
      dataset: 'object://lake/training.csv',
      column: 'AMOUNT',
      where: 'id < 200'
    })
    assert.deepEqual([made.status, made.body.rows, made.body.column], [201, 200, 'amount'])
    const rule = {
      dataset,
      type: 'distribution',
      config: { column: 'amount', baseline: made.body.id, maxDrift: 0.9, warnDrift: 0.2 }
    }
    const id = await world.make(rule)
    const { status, unit, threshold } = await ask(id)
    assert.deepEqual([status, unit, threshold], ['warned', 'ks', 0.2])
    const refused = await world.test.call('DELETE', `/api/quality/baselines/${made.body.id}`, { as: 'editor' })
    assert.deepEqual([refused.status, refused.body.usedBy[0].id], [409, id])
    await world.test.call('DELETE', `/api/quality/rules/${id}`, { as: 'editor' })
    assert.equal(
      (await world.test.call('DELETE', `/api/quality/baselines/${made.body.id}`, { as: 'editor' })).status,
      204
    )
    const gone = await world.post('rules', { name: 'gone', ...rule })
    assert.deepEqual([gone.status, gone.body.errors[0].pointer], [400, '/config/baseline'])
  })

  it('have one that can be made of the data as they are', async () => {
    const none = await world.post('baselines', { dataset: 'object://lake/none.csv', column: 'x' })
    assert.equal(none.status, 422)
    const bad = await world.post('baselines', { dataset, column: 'amount', where: 'true) OR (true' })
    assert.deepEqual([bad.status, bad.body.errors[0].pointer], [400, '/where'])
  })
})
