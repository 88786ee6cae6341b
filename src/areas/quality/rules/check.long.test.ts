import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'

describe('quality rules with SQL of users', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
    await world.put('people.csv', 'id,name,age\n1,Ada,36\n')
  })
  after(() => world.close())

  const refused = async (rule: object) => {
    const { status, body } = await world.post('rules', { name: 'x', dataset: 'object://lake/people.csv', ...rule })
    assert.equal(status, 400, JSON.stringify(body))
    return `${body.errors[0].pointer} ${body.errors[0].message}`
  }

  it('are refused where their SQL is none, or not whole by itself', async () => {
    const where = (text: string) => refused({ type: 'notNull', config: { column: 'age', where: text } })
    const IS_NONE = /^\/config\/where must be one condition/
    assert.match(await where('id >'), IS_NONE)
    assert.match(await where('true) OR (true'), IS_NONE)
    assert.match(await where('id = 1) FROM dataset) AS scan0, (SELECT 0 AS a0, 0 AS a1 --'), IS_NONE)
    assert.match(await where('idd > 1'), /^\/config\/where .*idd/)
    const sql = (query: string) => refused({ type: 'sql', config: { query } })
    assert.match(await sql('SELECT 1) UNION (SELECT 2'), /^\/config\/query must be one SELECT/)
    assert.match(await sql('SELECT 1'), /^\/config\/query must read the relation dataset/)
    assert.match(await sql("SELECT * FROM dataset, read_csv('/etc/passwd')"), /^\/config\/query .*read_csv/)
    assert.match(
      await refused({ type: 'regex', config: { column: 'name', pattern: '(?=x)' } }),
      /^\/config\/pattern is no regular expression of RE2/
    )
  })
})
