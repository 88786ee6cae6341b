// Once: it starts processes that run pipelines, which know nothing of the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { hasRows } from '../../../engines/metadata/index.ts'

const SOURCE = 'object://shop/people.csv'

describe('levels through a pipeline', () => {
  let test: TestApp
  let job: string
  before(async () => {
    test = await startTestApp()
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'shop' } })
    const people = 'id,email,city\n1,ada@example.org,Lyon\n2,bob@example.com,Oslo\n'
    await test.call('PUT', '/api/buckets/shop/objects/people.csv', { as: 'editor', body: people })
    job = await run([
      { id: 'in', type: 'file', config: { reference: SOURCE } },
      { id: 'map', type: 'map', config: { select: { contact: 'lower(email)', city: 'city' } }, inputs: ['in'] },
      { id: 'mask', type: 'mask', config: { columns: { contact: 'hash' } }, inputs: ['map'] },
      { id: 'open', type: 'object', config: { bucket: 'shop', prefix: 'open/', format: 'csv' }, inputs: ['map'] },
      { id: 'shut', type: 'object', config: { bucket: 'shop', prefix: 'shut/', format: 'csv' }, inputs: ['mask'] }
    ])
  })
  after(() => test.close())

  async function run(nodes: unknown): Promise<string> {
    const made = await test.call('POST', '/api/pipelines', { as: 'editor', body: { name: 'people', nodes } })
    assert.equal(made.status, 201, made.text)
    await test.call('POST', `/api/pipelines/${made.body.id}/start`, { as: 'editor' })
    await eventually(async () => {
      const { body } = await test.call('GET', `/api/pipelines/${made.body.id}`, { as: 'editor' })
      assert.equal(body.status, 'completed', JSON.stringify(body.error))
    })
    return `job://pipeline/${made.body.id}`
  }

  async function levelsOf(reference: string) {
    const path = `/api/classification/effective?resource=${encodeURIComponent(reference)}`
    await eventually(async () => !(await hasRows(test.platform.metadata.db.selectFrom('classification_marks'))))
    return (await test.call('GET', path, { as: 'viewer' })).body
  }

  it('reach what was not masked, with the way, and not what was; and leave when the label does', async () => {
    const body = { resource: SOURCE, level: 'confidential', columns: ['email'] }
    const label = await test.call('POST', '/api/classification/resources', { as: 'editor', body })
    assert.equal(label.status, 201)
    const open = await levelsOf('object://shop/open/*')
    assert.deepEqual([open.level, open.columns.length], [null, 1])
    assert.deepEqual(open.columns[0], {
      column: 'contact',
      level: 'confidential',
      source: 'inherited',
      path: [
        { resource: SOURCE, column: 'email', kind: 'given', job: null },
        { resource: 'object://shop/open/*', column: 'contact', kind: 'computed', job }
      ]
    })
    const shut = await levelsOf('object://shop/shut/*')
    assert.deepEqual([shut.level, shut.columns], [null, []])

    const { body: listed } = await test.call('GET', '/api/buckets/shop/objects?prefix=open/', { as: 'viewer' })
    const file = await levelsOf(`object://shop/${listed.objects[0].name}`)
    assert.deepEqual(
      file.columns.map(({ column, level }: Record<string, string>) => [column, level]),
      [['contact', 'confidential']]
    )

    await test.call('POST', '/api/classification/resources', { as: 'editor', body: { ...body, level: 'internal' } })
    assert.equal((await levelsOf('object://shop/open/*')).columns[0].level, 'internal')
    await test.call('DELETE', `/api/classification/resources/${label.body.id}`, { as: 'editor' })
    assert.deepEqual((await levelsOf('object://shop/open/*')).columns, [])
  })

  it('stay with what was written when the pipeline is deleted', async () => {
    const body = { resource: SOURCE, level: 'restricted', columns: ['email'] }
    const label = await test.call('POST', '/api/classification/resources', { as: 'admin', body })
    assert.equal((await levelsOf('object://shop/open/*')).columns[0].level, 'restricted')
    const gone = await test.call('DELETE', `/api/pipelines/${job.split('/').at(-1)}`, { as: 'admin' })
    assert.equal(gone.status, 204, gone.text)
    assert.equal((await levelsOf('object://shop/open/*')).columns[0].level, 'restricted')
    const { body: listed } = await test.call('GET', '/api/buckets/shop/objects?prefix=open/', { as: 'viewer' })
    const path = `/api/buckets/shop/objects/${encodeURIComponent(listed.objects[0].name)}`
    assert.equal((await test.call('GET', path, { as: 'viewer' })).body.code, 'above_clearance')
    await test.call('DELETE', `/api/classification/resources/${label.body.id}`, { as: 'admin' })
    assert.deepEqual((await levelsOf('object://shop/open/*')).columns, [])
  })
})
