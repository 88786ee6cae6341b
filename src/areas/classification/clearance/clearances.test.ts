import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { createMemoryBus } from '../../../engines/bus/memory.ts'
import { Guard } from './guard.ts'
import { LabelCache } from './label-cache.ts'

describe('clearances', () => {
  const path = '/api/classification/clearances'
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    await test.call('POST', '/api/buckets', { as: 'admin', body: { name: 'cleared' } })
    for (const key of ['a.txt', 'b%2Fc.txt']) {
      const headers = { 'content-type': 'text/plain' }
      await test.call('PUT', `/api/buckets/cleared/objects/${key}`, { as: 'admin', body: 'content', headers })
    }
  })
  after(() => test.close())

  const set = (role: string, level: string | null, as: 'admin' | 'editor' = 'admin') =>
    test.call('PUT', `${path}/${role}`, { as, body: { level } })
  const label = async (resource: unknown, level: string, as: 'admin' | 'editor' = 'admin') =>
    test.call('POST', '/api/classification/resources', { as, body: { resource, level } })
  const unlabel = (id: string, as: 'admin' | 'editor' = 'admin') =>
    test.call('DELETE', `/api/classification/resources/${id}`, { as })
  const statusOf = async (key: string, as: 'viewer' | 'editor' | 'admin') =>
    (await test.call('GET', `/api/buckets/cleared/objects/${key}`, { as })).status

  it('are internal, confidential and everything to begin with', async () => {
    const { body } = await test.call('GET', path, { as: 'viewer' })
    assert.deepEqual(
      body.clearances.map(({ role, level }: Record<string, unknown>) => [role, level]),
      [
        ['viewer', 'internal'],
        ['editor', 'confidential'],
        ['admin', null]
      ]
    )
  })

  it('hold at once, for labels of the object, of a pattern and of the bucket, whichever is the strictest', async () => {
    const statuses = async (key: string) => [
      await statusOf(key, 'viewer'),
      await statusOf(key, 'editor'),
      await statusOf(key, 'admin')
    ]
    assert.deepEqual(await statuses('a.txt'), [200, 200, 200])
    const own = await label('object://cleared/a.txt', 'confidential')
    assert.deepEqual(
      [await statuses('a.txt'), await statuses('b%2Fc.txt')],
      [
        [403, 200, 200],
        [200, 200, 200]
      ]
    )
    const pattern = await label('object://cleared/b/**', 'restricted')
    assert.deepEqual(await statuses('b%2Fc.txt'), [403, 403, 200])
    const bucket = await label({ type: 'bucket', id: 'cleared' }, 'internal')
    assert.deepEqual(await statuses('a.txt'), [403, 200, 200], 'the bucket does not make it less secret')
    await set('viewer', 'confidential')
    assert.equal(await statusOf('a.txt', 'viewer'), 200)
    await set('viewer', 'public')
    assert.equal(await statusOf('a.txt', 'viewer'), 403)
    await set('viewer', 'internal')
    for (const { body } of [own, pattern, bucket]) assert.equal((await unlabel(body.id)).status, 204)
    assert.deepEqual(await statuses('b%2Fc.txt'), [200, 200, 200])
  })

  it('say what is classified how, and what the caller may see', async () => {
    const { body } = await label('object://cleared/a.txt', 'restricted')
    const refused = await test.call('GET', '/api/buckets/cleared/objects/a.txt', { as: 'viewer' })
    const { code, resource, level, clearance } = refused.body
    assert.deepEqual(
      { code, resource, level, clearance },
      { code: 'above_clearance', resource: 'object://cleared/a.txt', level: 'restricted', clearance: 'internal' }
    )
    await unlabel(body.id)
    const me = await test.call('GET', '/api/users/me', { as: 'viewer' })
    assert.equal(me.body.clearance, 'data up to internal')
  })

  it('do not tell the names of other data that a pattern or a bucket holds, but to the audit trail', async () => {
    const { body } = await label('object://cleared/takeover-of-acme.csv', 'restricted')
    const reference = 'object://cleared/*.csv'
    const refused = await test.call('POST', '/api/quality/profile', { as: 'editor', body: { dataset: reference } })
    assert.deepEqual([refused.status, refused.body.resource, refused.body.level], [403, reference, 'restricted'])
    assert.match(refused.body.detail, /^Something in object:\/\/cleared\/\*\.csv is classified restricted/)
    assert.doesNotMatch(refused.text, /acme/)
    const { logs } = (await test.call('GET', '/api/audit/logs?limit=5', { as: 'admin' })).body
    assert.match(JSON.stringify(logs), /takeover-of-acme/)
    await unlabel(body.id)
  })

  it('keep those who may not see data from lowering or removing their level, and let them raise it', async () => {
    const { body } = await label('object://cleared/a.txt', 'restricted')
    const lowered = await label('object://cleared/a.txt', 'public', 'editor')
    assert.deepEqual([lowered.status, lowered.body.code], [403, 'above_clearance'])
    assert.equal((await unlabel(body.id, 'editor')).body.code, 'above_clearance')
    assert.equal((await label('object://cleared/a.txt', 'restricted', 'editor')).status, 200)
    await unlabel(body.id)
    const own = await label('object://cleared/a.txt', 'internal', 'editor')
    assert.equal((await label('object://cleared/a.txt', 'restricted', 'editor')).status, 200, 'upwards')
    assert.equal((await unlabel(own.body.id, 'editor')).status, 403, 'and not back')
    await unlabel(own.body.id)
  })

  it('keep a level from being removed, and name one that exists', async () => {
    const refused = await test.call('DELETE', '/api/classification/levels/lvl_internal', { as: 'admin' })
    assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
    assert.equal((await set('viewer', 'none-such')).body.errors[0].pointer, '/level')
    assert.equal((await set('nobody', 'internal')).status, 404)
    assert.equal((await set('viewer', 'internal', 'editor')).body.permission, 'classification:admin')
  })

  it('of a role without one are none at all', async () => {
    const { metadata } = test.platform
    await metadata.transaction((tx) =>
      tx.deleteFrom('classification_clearances').where('role', '=', 'viewer').execute()
    )
    const { body } = await label('object://cleared/a.txt', 'public')
    assert.equal(await statusOf('a.txt', 'viewer'), 403)
    assert.equal(await statusOf('b%2Fc.txt', 'viewer'), 200, 'what has no level is open')
    const me = await test.call('GET', '/api/users/me', { as: 'viewer' })
    assert.equal(me.body.clearance, 'only data without a level')
    assert.equal((await set('viewer', 'internal')).status, 200)
    assert.equal(await statusOf('a.txt', 'viewer'), 200)
    await unlabel(body.id)
  })

  if (process.env.TEST_POSTGRES_URL !== undefined) {
    it('hold for another replica within a second', async () => {
      const metadata = await test.database.open()
      const clock = new ManualClock()
      const bus = createMemoryBus(() => assert.fail())
      const cache = new LabelCache({ metadata, clock, bus })
      cache.start()
      const other = new Guard({ cache, masked: {} as never, outputsOf: async () => [] })
      const mayRead = () => other.requireObject({ role: 'viewer' }, 'cleared', 'a.txt')
      await mayRead()
      const { body } = await label('object://cleared/a.txt', 'confidential')
      clock.advance(1000)
      await assert.rejects(mayRead, { code: 'above_clearance' })
      assert.equal((await set('viewer', 'confidential')).status, 200)
      clock.advance(1000)
      await mayRead()
      assert.equal((await set('viewer', 'internal')).status, 200)
      await unlabel(body.id)
      await metadata.close()
    })
  }

  it('have a way to look in the audit trail and in metrics', async () => {
    const metrics = (await test.call('GET', '/metrics', { as: 'admin' })).text
    assert.match(metrics, /millrace_classification_reads_total\{outcome="refused"\} [1-9]/)
    const { body } = await test.call('GET', '/api/audit/logs?limit=1000', { as: 'admin' })
    const changed = body.logs.find(({ action }: { action: string }) => action === 'classification-clearance.update')
    assert.equal(changed?.resourceType, 'classification-clearance')
  })
})
