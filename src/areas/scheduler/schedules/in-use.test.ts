import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { makeSource } from '../../../../test/support/catalog.ts'
import { makeBucket, put } from '../../../../test/support/objects/client.ts'
import { findOldUses } from './old-uses.ts'

interface User {
  readonly id: string
  readonly name: string
}

describe('what schedules use', () => {
  let test: TestApp
  let made = 0

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  function call(method: string, path: string, body?: unknown) {
    return test.call(method, `/api${path}`, { as: 'editor', body })
  }
  async function ok(method: string, path: string, body?: unknown) {
    const { status, text, body: answered } = await call(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${text}`)
    return answered
  }
  const newBucket = () => makeBucket(test, `bucket-${++made}`)
  const newSource = () => makeSource(test, `source-${++made}`)
  const newPipeline = async () => {
    const bucket = await newBucket()
    const out = { id: 'out', type: 'object', inputs: ['in'], config: { bucket, prefix: 'o/', format: 'ndjson' } }
    const nodes = [{ id: 'in', type: 'webhook' }, out]
    return (await ok('POST', '/pipelines', { name: `pipeline ${++made}`, nodes })).id as string
  }
  const newSchedule = async (target: object): Promise<User> => {
    const { id, name } = await ok('POST', '/scheduler/schedules', { name: `s ${++made}`, cron: '0 6 * * *', target })
    return { id, name }
  }
  const downsample = (from: string, to: string) => ({
    type: 'downsample',
    id: from,
    config: { every: '1h', into: { sourceId: to } }
  })
  const sql = (bucket: string, relations: object = {}) => ({
    type: 'sql',
    config: { sql: 'SELECT 1 AS one', relations, into: { bucket, key: 'one.csv', format: 'csv' } }
  })
  const refused = async (path: string, ...users: User[]) => {
    const { status, body } = await call('DELETE', path)
    assert.deepEqual([status, body.code], [409, 'in_use'], path)
    assert.deepEqual(
      body.usedBy,
      users.map((user) => ({ type: 'schedule', ...user }))
    )
  }

  it('of a downsample: both sources', async () => {
    const [from, to] = [await newSource(), await newSource()]
    const user = await newSchedule(downsample(from, to))
    await refused(`/catalog/sources/${from}`, user)
    await refused(`/catalog/sources/${to}`, user)
    await ok('DELETE', `/catalog/sources/${to}?force=true`)
  })

  it('of SQL: the bucket that it writes to, and what its relations name', async () => {
    const [into, read, source, pipeline] = [
      await newBucket(),
      await newBucket(),
      await newSource(),
      await newPipeline()
    ]
    await put(test, read, 'a.csv', 'n\n1\n')
    const relations = { a: `object://${read}/*.csv`, b: `series://${source}`, c: `pipeline://${pipeline}` }
    const user = await newSchedule(sql(into, relations))
    for (const path of [
      `/buckets/${into}`,
      `/buckets/${read}`,
      `/catalog/sources/${source}`,
      `/pipelines/${pipeline}`
    ]) {
      await refused(path, user)
    }
  })

  it('of a schedule that was changed: what it names now', async () => {
    const [old, now] = [await newBucket(), await newBucket()]
    const user = await newSchedule(sql(old, { a: `object://${old}/*.csv` }))
    await ok('PUT', `/scheduler/schedules/${user.id}`, { description: 'the same' })
    await refused(`/buckets/${old}`, user)
    await ok('PUT', `/scheduler/schedules/${user.id}`, { target: sql(now) })
    await ok('DELETE', `/buckets/${old}`)
    await refused(`/buckets/${now}`, user)
    await ok('DELETE', `/scheduler/schedules/${user.id}`)
    await ok('DELETE', `/buckets/${now}`)
  })

  it('is found for schedules that were made before it was kept', async () => {
    const [bucket, source, pipeline] = [await newBucket(), await newSource(), await newPipeline()]
    await newSchedule(
      sql(bucket, { a: `object://${bucket}/*.csv`, b: `series://${source}/a`, c: `pipeline://${pipeline}` })
    )
    await newSchedule(downsample(source, await newSource()))
    await newSchedule({ type: 'pipeline', id: pipeline })
    const { metadata } = test.platform
    const select = metadata.db.selectFrom('schedule_uses').selectAll()
    const uses = () => select.orderBy('schedule_id').orderBy('resource_type').orderBy('resource_id').execute()
    const kept = await uses()
    assert.ok(kept.length >= 6)
    await metadata.transaction(async (tx) => {
      await tx.deleteFrom('schedule_uses').execute()
      await findOldUses(tx as never)
    })
    assert.deepEqual(await uses(), kept)
  })
})
