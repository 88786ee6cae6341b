import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { orders } from '../testing/orders.ts'

describe('rules about the distribution of what is confidential', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  it('name no value of a confidential column, and keep its baseline sealed', async () => {
    const secret = 'object://lake/secret.csv'
    await world.put('secret.csv', orders(100, [1, 1]))
    const level = { resource: secret, level: 'confidential', columns: ['amount', 'shop'] }
    await world.test.call('POST', '/api/classification/resources', { as: 'editor', body: level })
    await world.make({ dataset: secret, type: 'distribution', config: { column: 'shop' } })
    await world.make({ dataset: secret, type: 'distribution', config: { column: 'amount' } })
    await world.evaluate({ dataset: secret })
    await world.put('secret.csv', orders(150, [1, 5, 1]))
    const { results } = await world.evaluate({ dataset: secret })
    assert.deepEqual(
      results.map(({ status }: { status: string }) => status),
      ['failed', 'failed']
    )
    assert.doesNotMatch(JSON.stringify(results), /shop \d|1[0-9]{2}\.\d/)
    assert.match(results[0].drift.moved[0].what, /^value \d of \d$/)
    assert.deepEqual([results[1].drift.mean, results[1].drift.quantiles], [null, []])
    const { baselines } = await world.get(`baselines?dataset=${encodeURIComponent(secret)}`)
    assert.deepEqual(
      baselines.map(({ shape, isConfidential }: never) => [shape, isConfidential]),
      [
        [null, true],
        [null, true]
      ]
    )
    const rows = await world.test.platform.metadata.db
      .selectFrom('quality_baselines')
      .selectAll()
      .where('dataset', '=', secret)
      .execute()
    assert.doesNotMatch(JSON.stringify(rows), /shop \d/)
  })
})
