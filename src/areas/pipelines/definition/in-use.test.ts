import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { findOldUses } from './old-uses.ts'

type Node = { id: string; type: string; inputs?: string[]; config?: object }

describe('what pipelines use', () => {
  let test: TestApp
  let made = 0

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const call = (method: string, path: string, body?: unknown) =>
    test.call(method, `/api${path}`, { as: 'editor', body })
  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
  const makeBucket = async () => {
    const name = `bucket-${made++}`
    await ok('POST', '/buckets', { name })
    return name
  }
  const makeSource = async () => (await ok('POST', '/catalog/sources', { name: `source ${made++}` })).id as string
  const makeSchema = async (name = `schema ${made++}`) => {
    const schema = { properties: { v: { type: 'number' } } }
    return (await ok('POST', '/schemas', { name, type: 'json', schema, compatibility: 'NONE' })).id as string
  }
  const makePipeline = async (...nodes: Node[]) => {
    const name = `pipeline ${made++}`
    return { type: 'pipeline', id: (await ok('POST', '/pipelines', { name, nodes })).id as string, name }
  }
  const webhook = { id: 'in', type: 'webhook' }
  const toBucket = (bucket: string, input = 'in') => {
    return { id: 'out', type: 'object', inputs: [input], config: { bucket, prefix: 'o/', format: 'ndjson' } }
  }
  const toSource = (source: string) => {
    return { id: 'out', type: 'series', inputs: ['in'], config: { source, time: 't', tag: 'tag', value: 'v' } }
  }
  const checked = (config: object): Node => ({ id: 'check', type: 'validate', inputs: ['in'], config })

  async function refused(path: string, ...users: object[]): Promise<void> {
    const { status, body } = await call('DELETE', path)
    assert.deepEqual([status, body.code, body.usedBy], [409, 'in_use', users])
    assert.match(body.detail, /^Used by (pipeline "pipeline \d+" \(pl_\w+\)(, )?)+\. Change or delete .* force=true/)
  }

  it('is not deleted but by force, and free again when the pipeline lets it go', async () => {
    const [bucket, source] = [await makeBucket(), await makeSource()]
    const user = await makePipeline(webhook, toBucket(bucket))
    await refused(`/buckets/${bucket}`, user)
    await ok('PUT', `/pipelines/${user.id}`, { nodes: [webhook, toSource(source)] })
    await ok('DELETE', `/buckets/${bucket}`)
    await refused(`/catalog/sources/${source}`, user)
    await ok('PUT', `/pipelines/${user.id}`, { description: 'the nodes stay' })
    await refused(`/catalog/sources/${source}`, user)
    await ok('DELETE', `/catalog/sources/${source}?force=true`)
  })

  it('is free when the pipeline is deleted', async () => {
    const bucket = await makeBucket()
    const reading: Node = { id: 'in', type: 'file', config: { reference: `object://${bucket}/in/*.csv` } }
    const user = await makePipeline(reading, toBucket(bucket))
    await refused(`/buckets/${bucket}`, user)
    await ok('DELETE', `/pipelines/${user.id}`)
    await ok('DELETE', `/buckets/${bucket}`)
  })

  it('is deleted by force with what is in it', async () => {
    const bucket = await makeBucket()
    await makePipeline(webhook, toBucket(bucket))
    await test.call('PUT', `/api/buckets/${bucket}/objects/a`, { as: 'editor', body: 'x' })
    await ok('DELETE', `/buckets/${bucket}?force=true`)
  })

  it('is told with twenty users at most, and whether there are more', async () => {
    const source = await makeSource()
    for (let n = 0; n < 21; n++) await makePipeline(webhook, toSource(source))
    const { body } = await call('DELETE', `/catalog/sources/${source}`)
    assert.deepEqual([body.usedBy.length, body.more], [20, true])
    assert.match(body.detail, /, pipeline "pipeline \d+" \(pl_\w+\) and others\./)
  })

  it('may be a schema, or a version of one', async () => {
    const [bucket, id] = [await makeBucket(), await makeSchema()]
    const newest = await makePipeline(webhook, checked({ schemaId: id }), toBucket(bucket, 'check'))
    await refused(`/schemas/${id}`, newest)
    await refused(`/schemas/${id}/versions/1`, newest)
    await ok('POST', `/schemas/${id}/versions`, { schema: { properties: { v: { type: 'string' } } } })
    const first = await makePipeline(webhook, checked({ schemaId: id, version: 1 }), toBucket(bucket, 'check'))
    await refused(`/schemas/${id}/versions/1`, first)
    await refused(`/schemas/${id}`, newest, first)
    const disabled = await call('PUT', `/schemas/${id}/versions/1`, { state: 'disabled' })
    assert.deepEqual([disabled.status, disabled.body.usedBy], [409, [first]])
    await ok('DELETE', `/schemas/${id}/versions/2`)
    await ok('DELETE', `/schemas/${id}?force=true`)
    await refused(`/schemas/${id}?permanent=true`, newest, first)
    await ok('DELETE', `/schemas/${id}?permanent=true&force=true`)
  })

  it('is not deleted by clients of Confluent’s registry, softly or for good', async () => {
    const id = await makeSchema('orders-value')
    await makePipeline(webhook, checked({ schemaId: id }), toBucket(await makeBucket(), 'check'))
    const remove = (path: string) =>
      test.call('DELETE', `/schema-registry/subjects/orders-value${path}`, { as: 'editor' })
    for (const path of ['', '/versions/1', '/versions/latest']) {
      const { status, body } = await remove(path)
      assert.deepEqual([status, body.error_code], [422, 42206])
      assert.match(body.message, new RegExp(`Used by pipeline .* insist with DELETE /api/schemas/${id}.*force=true`))
    }
    await ok('DELETE', `/schemas/${id}?force=true`)
    assert.equal((await remove('?permanent=true')).body.error_code, 42206)
  })

  it('is found for pipelines that were made before it was kept', async () => {
    const source = await makeSource()
    const user = await makePipeline(webhook, toSource(source))
    const { db } = test.platform.metadata
    const uses = () =>
      db.selectFrom('pipeline_uses').selectAll().orderBy('pipeline_id').orderBy('resource_id').execute()
    const kept = await uses()
    await test.platform.metadata.transaction(async (tx) => {
      await tx.deleteFrom('pipeline_uses').execute()
      await findOldUses(tx as never)
    })
    assert.deepEqual(await uses(), kept)
    await refused(`/catalog/sources/${source}`, user)
  })
})
