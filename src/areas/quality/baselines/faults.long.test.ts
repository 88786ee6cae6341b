import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'

describe('rules about distributions that can’t be asked', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  const ask = async (id: string) => (await world.post(`rules/${id}/evaluate`)).body

  it('say that the column is of another type than its baseline, and forget it when the question is another', async () => {
    await world.put('typed.csv', 'x,y\n1,a\n2,b\n')
    const id = await world.make({ dataset: 'object://lake/typed.csv', type: 'distribution', config: { column: 'x' } })
    await ask(id)
    await world.put('typed.csv', 'x,y\none,a\ntwo,b\n')
    const { status, reason } = await ask(id)
    assert.deepEqual([status, reason.code], ['error', 'wrong_type'])
    assert.match(reason.message, /^The column x is VARCHAR; the baseline qb_\w+ is of numbers\. Make another one/)
    const changed = await world.test.call('PUT', `/api/quality/rules/${id}`, {
      as: 'editor',
      body: { config: { column: 'y' } }
    })
    assert.equal(changed.status, 200)
    assert.equal((await ask(id)).reason.code, 'baseline_made')
  })

  it('refuse what can’t be compared', async () => {
    const fault = async (config: object) => {
      const { status, body } = await world.post('rules', {
        name: 'bad',
        dataset: 'object://lake/typed.csv',
        type: 'distribution',
        config
      })
      return [status, body.errors?.[0]?.pointer]
    }
    assert.deepEqual(await fault({ column: 'y', method: 'ks' }), [400, '/config/method'])
    assert.deepEqual(await fault({ column: 'z' }), [400, '/config/column'])
    assert.deepEqual(await fault({ column: 'y', where: 'nothing = 1' }), [400, '/config/where'])
    assert.deepEqual(await fault({ column: 'y', maxDrift: 0.1, warnDrift: 0.2 }), [400, '/config/warnDrift'])
    for (const method of ['ks', 'chiSquare', 'auto']) {
      assert.deepEqual(
        await fault({ column: 'z', method, maxDrift: 1 }),
        [400, '/config/maxDrift'],
        'it could never fail'
      )
      assert.deepEqual(await fault({ column: 'z', method, warnDrift: 1.5 }), [400, '/config/warnDrift'])
    }
    assert.deepEqual(await fault({ column: 'z', method: 'psi', maxDrift: 1.5 }), [400, '/config/column'])
  })
})
