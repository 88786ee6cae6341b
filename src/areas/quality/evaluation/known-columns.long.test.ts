import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'

describe('columns that are remembered', () => {
  let world: QualityWorld
  const dataset = 'object://lake/data.csv'
  let range: string
  before(async () => {
    world = await QualityWorld.start()
    range = await world.make({ name: 'range', dataset, type: 'range', config: { column: 'x', min: 0 } })
    await world.make({ name: 'unique', dataset, type: 'unique', config: { columns: ['id'] } })
  })
  after(() => world.close())

  it('are read anew where a type is another one', async () => {
    const ask = async () => (await world.post(`rules/${range}/evaluate`)).body
    await world.put('data.csv', 'id,x\n1,1\n2,2\n')
    assert.equal((await ask()).status, 'passed')
    await world.put('data.csv', 'id,x\n1,1.5\n2,nan\n')
    assert.deepEqual([(await ask()).rowsFailed, (await ask()).rowsFailed], [1, 1])
  })

  it('are read anew where one is gone, of which there is nothing to ask then', async () => {
    await world.put('data.csv', 'id,name\n1,Ada\n')
    const { results } = await world.evaluate({ dataset })
    const found = results.map(
      ({ ruleName, status, reason }: { ruleName: string; status: string; reason: { code: string } | null }) => [
        ruleName,
        status,
        reason?.code
      ]
    )
    assert.deepEqual(found, [
      ['range', 'notEvaluated', 'column_missing'],
      ['unique', 'passed', undefined]
    ])
  })
})
