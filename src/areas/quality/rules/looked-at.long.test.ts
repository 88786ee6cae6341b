import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'

describe('columns that rules look at', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  it('are in the lineage, on the edges into the rule', async () => {
    const on = 'object://lake/seen.csv'
    await world.put('seen.csv', 'id,name,age,joined\n1,Ada,36,2026-01-01T00:00:00Z\n')
    await world.put('names.csv', 'name\nAda\n')
    const lineage = async (path: string) => {
      const { status, body, text } = await world.test.call('GET', `/api/lineage/${path}`, { as: 'viewer' })
      assert.equal(status, 200, text)
      return body
    }
    /** `data.column` of all that leads into the rule. */
    const looksAt = async (id: string): Promise<string[]> => {
      const { edges } = await lineage(`upstream/${encodeURIComponent(`job://quality-rule/${id}`)}?columns=true`)
      type Named = { columns?: { from: { id: string; column: string | null }; kind: string }[] }
      return edges
        .flatMap(({ columns = [] }: Named) => columns)
        .map(({ from }: NonNullable<Named['columns']>[number]) => `${from.id.split('/').at(-1)}.${from.column ?? '*'}`)
        .sort()
    }
    const make = (type: string, config: object, data = on) => world.make({ dataset: data, type, config })
    const aged = await make('notNull', { column: 'AGE' })
    assert.deepEqual(await looksAt(aged), ['seen.csv.age'])
    assert.deepEqual(await looksAt(await make('unique', { columns: ['id', 'name'] })), ['seen.csv.id', 'seen.csv.name'])
    const where = { column: 'age', min: 0, where: "name <> 'Bo' AND joined IS NOT NULL" }
    assert.deepEqual(await looksAt(await make('range', where)), ['seen.csv.age', 'seen.csv.joined', 'seen.csv.name'])
    const to = { dataset: 'object://lake/names.csv', column: 'name' }
    assert.deepEqual(await looksAt(await make('referential', { column: 'name', to })), [
      'names.csv.name',
      'seen.csv.name'
    ])
    const query = 'SELECT id FROM dataset WHERE age < 0'
    assert.deepEqual(await looksAt(await make('sql', { query })), ['seen.csv.age', 'seen.csv.id'])
    // That of all columns says no more than that it reads the data.
    assert.deepEqual(await looksAt(await make('sql', { query: 'SELECT * FROM dataset WHERE age < 0' })), [])
    const count = await make('rowCount', { min: 1 })
    assert.deepEqual(await looksAt(count), [])
    // Nobody knows how they are written there, and what else the condition is about.
    const later = await make('notNull', { column: 'Age', where: 'id > 1' }, 'object://lake/later.csv')
    assert.deepEqual(await looksAt(later), ['later.csv.*', 'later.csv.Age'])

    const impact = await lineage(`impact/${encodeURIComponent(on)}?column=joined`)
    const hit = new Set(impact.nodes.map((node: { id: string }) => node.id.split('/').at(-1)))
    assert.deepEqual([hit.has(aged), hit.has(count), hit.size], [false, true, 3])
    await world.test.call('PUT', `/api/quality/rules/${aged}`, { as: 'editor', body: { config: { column: 'joined' } } })
    assert.deepEqual(await looksAt(aged), ['seen.csv.joined'])
  })
})
