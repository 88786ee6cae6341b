import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'

const ORDERS = 'object://lake/orders.csv'
const CUSTOMERS = 'object://lake/customers.csv'

describe('a reference between columns of different kinds', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
    await world.put('orders.csv', 'id,customer\n1,c1\n2,c2\n')
    await world.put('customers.csv', 'id,name\nc1,Ada\nc2,Bo\n')
  })
  after(() => world.close())

  const rule = (name: string) => ({
    name,
    dataset: ORDERS,
    type: 'referential',
    config: { column: 'customer', to: { dataset: CUSTOMERS, column: 'id' } }
  })

  it('is refused when the rule is made, with both types', async () => {
    const to = { dataset: ORDERS, column: 'id' }
    const { status, body } = await world.post('rules', { ...rule('wrong'), config: { column: 'customer', to } })
    assert.deepEqual([status, body.errors[0].pointer], [400, '/config/to/column'])
    assert.match(
      body.errors[0].message,
      /^The column customer is VARCHAR; id of .* is BIGINT, and texts are no numbers/
    )
  })

  it('is an error that says so, each time, when the data have become so', async () => {
    const id = await world.make(rule('customers are known'))
    const [fine] = (await world.evaluate({ dataset: ORDERS })).results
    assert.deepEqual([fine.ruleId, fine.status], [id, 'passed'])
    // Now a number in each: for SQL alone, an error as soon as a customer is none.
    await world.put('customers.csv', 'id,name\n1,Ada\n2,Bo\n')
    for (const _ of [1, 2]) {
      const [result] = (await world.evaluate({ dataset: ORDERS })).results
      assert.deepEqual([result.status, result.reason.code], ['error', 'wrong_type'])
      assert.match(result.reason.message, /VARCHAR.*BIGINT.*give both columns one type/)
    }
    await world.put('customers.csv', 'number,name\nc1,Ada\n')
    const [missing] = (await world.evaluate({ dataset: ORDERS })).results
    assert.deepEqual([missing.status, missing.reason.code], ['notEvaluated', 'column_missing'])
    assert.match(missing.reason.message, /^There is no column \w+ in object:\/\//)
    await world.put('customers.csv', 'id,name\nc1,Ada\n')
    const [mended] = (await world.evaluate({ dataset: ORDERS })).results
    assert.deepEqual([mended.status, mended.rowsFailed], ['failed', 1])
  })
})
