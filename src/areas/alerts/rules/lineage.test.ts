import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { LineageWorld } from '../../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'

const points = (tag: string) => ({
  sourceId: 'src_1',
  tag,
  function: 'avg',
  window: '5m',
  operator: '>',
  threshold: 1
})
const sql = {
  references: { a: 'object://lake/a.csv', b: 'series://src_2' },
  sql: 'SELECT 1',
  operator: '>',
  threshold: 1
}

describe('what alert rules read', () => {
  const clock = new ManualClock()
  let world: LineageWorld
  let path: string
  let job: string
  before(async () => {
    world = await LineageWorld.start({ clock })
    const body = {
      name: 'hot',
      description: 'too hot',
      enabled: false,
      conditions: [points('press.1'), sql],
      join: 'or'
    }
    const { body: rule } = await world.test.call('POST', '/api/alerts/rules', { as: 'editor', body })
    path = `/api/alerts/rules/${rule.id}`
    job = `job://alert-rule/${rule.id}`
  })
  after(() => world.close())

  const graph = (query = '') => world.get(`upstream/${encodeURIComponent(job)}${query}`)
  const reads = async (query = '') =>
    (await graph(`?depth=1${query}`)).edges.map(({ from }: { from: string }) => from).sort()
  const change = async (body: object) => {
    clock.advance(60_000)
    const answer = await world.test.call('PUT', path, { as: 'editor', body })
    assert.equal(answer.status, 200, answer.text)
  }

  it('is known when a rule is made', async () => {
    assert.deepEqual(await reads(), ['object://lake/a.csv', 'series://src_1/press.1', 'series://src_2'])
    const [node] = (await graph()).nodes
    assert.deepEqual([node.name, node.description, node.deleted], ['hot', 'too hot', false])
  })

  it('changes with the rule, and is in the past as it was', async () => {
    const made = clock.iso()
    await change({ name: 'hotter', condition: points('press.*') })
    assert.deepEqual(await reads(), ['series://src_1'])
    assert.equal((await graph()).nodes[0].name, 'hotter')
    assert.equal((await reads(`&asOf=${made}`)).length, 3)
    await change({ condition: { event: 'schedule.paused' } })
    assert.deepEqual(await reads(), [])
    await change({ condition: points('press.2') })
    assert.deepEqual(await reads(), ['series://src_1/press.2'])
  })

  it('is over when the rule is deleted', async () => {
    clock.advance(60_000)
    assert.equal((await world.test.call('DELETE', path, { as: 'editor' })).status, 204)
    const { nodes, edges } = await graph()
    assert.deepEqual([edges, nodes[0].deleted], [[], true])
  })

  it('leaves out what no reference can name', async () => {
    const body = { name: 'odd', enabled: false, condition: { ...points('x'), sourceId: '/' } }
    assert.equal((await world.test.call('POST', '/api/alerts/rules', { as: 'editor', body })).status, 201)
  })
})
