import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { LineageWorld, seenBy } from '../../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'

describe('data of a source', () => {
  const clock = new ManualClock()
  let world: LineageWorld
  let source: string
  before(async () => {
    world = await LineageWorld.start({ clock })
    const { body } = await world.test.call('POST', '/api/catalog/sources', { as: 'editor', body: { name: 'boiler' } })
    source = body.id
    await world.saw(
      seenBy('load', clock.now(), [], [`series://${source}`]),
      seenBy('watch', clock.now(), [`series://${source}/oil`], []),
      // Of another server, which has a source of this name.
      seenBy('elsewhere', clock.now(), ['series://src_elsewhere'], [])
    )
  })
  after(() => world.close())

  const change = async (method: 'PUT' | 'DELETE', path: string, body?: object) => {
    clock.advance(1000)
    const { status, text } = await world.test.call(method, path, { as: 'admin', body })
    assert.ok(status < 300, text)
  }
  /** Names by references, with what is deleted in parentheses. */
  const shown = async (): Promise<Record<string, string>> => {
    const { nodes } = await world.get('nodes?kind=series')
    return Object.fromEntries(
      nodes.map(({ id, name, deleted }: { id: string; name: string; deleted: boolean }) => [
        id.replace(source, 'ID'),
        deleted ? `(${name})` : name
      ])
    )
  }

  it('is called by its name, which it follows', async () => {
    const elsewhere = { 'series://src_elsewhere': 'src_elsewhere' }
    assert.deepEqual(await shown(), { 'series://ID': 'boiler', 'series://ID/oil': 'boiler/oil', ...elsewhere })
    await change('PUT', `/api/catalog/sources/${source}`, { name: 'kettle' })
    assert.deepEqual(await shown(), { 'series://ID': 'kettle', 'series://ID/oil': 'kettle/oil', ...elsewhere })
    await world.saw(seenBy('watch', clock.now(), [`series://${source}/oil`, `series://${source}/air`], []))
    assert.equal((await shown())['series://ID/air'], 'kettle/air')
    assert.equal((await world.get('nodes?q=kettle')).total, 3)
  })

  it('is called as a person says, whatever its source is called', async () => {
    await change('PUT', `/api/lineage/nodes/${encodeURIComponent(`series://${source}/air`)}`, { name: 'The air' })
    await change('PUT', `/api/catalog/sources/${source}`, { name: 'furnace' })
    const { 'series://ID': own, 'series://ID/air': air } = await shown()
    assert.deepEqual([own, air], ['furnace', 'The air'])
  })

  it('is gone with it, also where a job goes on to name it', async () => {
    await change('DELETE', `/api/catalog/sources/${source}`)
    const gone = {
      'series://ID': '(furnace)',
      'series://ID/air': '(The air)',
      'series://ID/oil': '(furnace/oil)',
      'series://src_elsewhere': 'src_elsewhere'
    }
    assert.deepEqual(await shown(), gone)
    clock.advance(1000)
    await world.saw(seenBy('watch', clock.now(), [`series://${source}/oil`], []))
    assert.deepEqual(await shown(), gone)
  })
})

describe('a pipeline that has not run yet', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
  })
  after(() => world.close())

  it('is called by its name, which it follows, as is what it will put out', async () => {
    const nodes = [
      { id: 'from', type: 'file', config: { reference: 'object://lake/corn.csv' } },
      { id: 'to', type: 'object', config: { bucket: 'lake', prefix: 'out/', format: 'csv' }, inputs: ['from'] }
    ]
    await world.test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'lake' } })
    const made = await world.test.call('POST', '/api/pipelines', { as: 'editor', body: { name: 'milling', nodes } })
    assert.equal(made.status, 201, made.text)
    const [job, output] = [`job://pipeline/${made.body.id}`, `pipeline://${made.body.id}`]
    // Somebody draws what it will do, and has a rule about what it will put out.
    const links = [
      { from: 'dataset://sheets/plan', to: job },
      { from: output, to: 'dataset://sheets/flour' }
    ]
    for (const body of links) {
      const { status, text } = await world.test.call('POST', '/api/lineage/links', { as: 'editor', body })
      assert.equal(status, 201, text)
    }
    const names = async () => {
      const found = await Promise.all([job, output].map((id) => world.get(`nodes/${encodeURIComponent(id)}`)))
      return found.map(({ name }) => name)
    }
    assert.deepEqual(await names(), ['milling', 'milling'])
    assert.equal((await world.get('nodes?q=milling')).total, 2)
    const path = `/api/pipelines/${made.body.id}`
    const renamed = await world.test.call('PUT', path, { as: 'editor', body: { name: 'grinding' } })
    assert.equal(renamed.status, 200, renamed.text)
    assert.deepEqual(await names(), ['grinding', 'grinding'])
  })
})
