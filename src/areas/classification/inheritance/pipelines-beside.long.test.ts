// Once: it starts processes that run pipelines, which know nothing of the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { startLevelsApp } from '../../../../test/support/levels-app.ts'
import { hasRows } from '../../../engines/metadata/index.ts'

describe('pipelines that write into one bucket', () => {
  let world: Awaited<ReturnType<typeof startLevelsApp>>
  /** Pipelines by the object that they read. */
  const ids: Record<string, string> = {}
  before(async () => {
    world = await startLevelsApp()
    for (const [name, prefix, more] of [
      ['open', 'pub/', {}],
      ['shut', 'pj/', {}],
      ['parts', 'parts[1]/', { partitionBy: ['city'] }]
    ] as const) {
      await world.test.call('PUT', `/api/buckets/shop/objects/${name}.csv`, { as: 'admin', body: 'id,city\n1,Oslo\n' })
      const config = { bucket: 'out', prefix, format: 'csv', ...more }
      const nodes = [
        { id: 'in', type: 'file', config: { reference: `object://shop/${name}.csv` } },
        { id: 'out', type: 'object', config, inputs: ['in'] }
      ]
      const { id } = await world.admin('POST', '/pipelines', { name, nodes })
      ids[name] = id
      await world.admin('POST', `/pipelines/${id}/start`)
      await eventually(async () => {
        const { status, error } = await world.admin('GET', `/pipelines/${id}`)
        assert.equal(status, 'completed', JSON.stringify(error))
      })
    }
    for (const name of ['shut', 'parts']) {
      const body = { resource: `object://shop/${name}.csv`, level: 'restricted' }
      await world.admin('POST', '/classification/resources', body)
    }
    const { db } = world.test.platform.metadata
    await eventually(async () => assert.ok(!(await hasRows(db.selectFrom('classification_marks')))))
  })
  after(() => world.test.close())

  const statusOf = async (path: string, as: 'viewer' | 'editor' = 'viewer') =>
    (await world.test.call('GET', `/api/${path}`, { as, headers: { accept: 'application/json' } })).status

  it('have the levels of what they themselves read', async () => {
    for (const [name, status] of [
      ['open', 200],
      ['shut', 403],
      ['parts', 403]
    ] as const) {
      assert.equal(await statusOf(`pipelines/${ids[name]}/data`), status, name)
      assert.equal(await statusOf(`pipelines/${ids[name]}/dead-letters`, 'editor'), status, name)
      const { columns } = await world.admin('GET', `/classification/effective?resource=pipeline://${ids[name]}`)
      const levels = columns.map(({ level }: { level: string }) => level)
      assert.deepEqual(levels, status === 200 ? [] : ['restricted', 'restricted'], name)
    }
  })

  it('give them to all objects that they write, in folders too', async () => {
    const { objects } = await world.admin('GET', '/buckets/out/objects?recursive=true')
    const found = await Promise.all(
      objects.map(async ({ name }: { name: string }) => {
        return [name.replace(/[^/]*$/, ''), await statusOf(`buckets/out/objects/${encodeURIComponent(name)}`)]
      })
    )
    assert.deepEqual(found.sort(), [
      ['parts[1]/city=Oslo/', 403],
      ['pj/', 403],
      ['pub/', 200]
    ])
  })
})
