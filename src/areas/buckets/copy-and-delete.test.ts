// Once: copies and deletions in the store.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { get, makeBucket, namesIn, objectPath, put, send } from '../../../test/support/objects/client.ts'
import { leftovers } from '../../../test/support/objects/leftovers.ts'
import { pattern } from '../../engines/objects/testing/bodies.ts'

const LARGE = pattern(1_200_000)

describe('copies of objects', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    const body = { name: 'other disk', type: 'store-local' }
    const provider = await test.call('POST', '/api/storage/providers', { as: 'admin', body })
    await makeBucket(test, 'from')
    await makeBucket(test, 'near')
    await makeBucket(test, 'far', { providerId: provider.body.id })
    await put(test, 'from', 'small', 'small', { 'content-type': 'text/csv' })
    await put(test, 'from', 'large', LARGE, { 'content-type': 'video/mp4' })
  })
  after(() => test.close())

  const copy = (to: string, body: object, headers = {}) =>
    test.call('POST', `/api/buckets/${to}/copies`, { as: 'editor', body, headers })

  it('are the same, within a bucket, in another one and on another disk', async () => {
    for (const to of ['from', 'near', 'far']) {
      for (const [fromKey, size, type] of [
        ['small', 5, 'text/csv'],
        ['large', LARGE.length, 'video/mp4']
      ] as const) {
        const key = `copies/of ${fromKey}`
        const { status, body, headers } = await copy(to, { key, fromKey, fromBucket: 'from' })
        assert.deepEqual([status, body.name, body.bucket, body.size, body.contentType], [201, key, to, size, type])
        assert.equal(headers.get('location'), objectPath(to, key))
        const original = await get(test, 'from', fromKey)
        const copied = await get(test, to, key)
        assert.ok(copied.bytes.equals(original.bytes))
        for (const name of ['etag', 'content-type', 'repr-digest']) {
          assert.equal(copied.headers.get(name), original.headers.get(name), `${name} of ${fromKey} in ${to}`)
        }
      }
    }
    assert.deepEqual(leftovers(test.database.folder), [])
  })

  it('stay when the original goes, and the other way round', async () => {
    await put(test, 'from', 'original', LARGE)
    await copy('from', { key: 'copy 1', fromKey: 'original' })
    await copy('from', { key: 'copy 2', fromKey: 'copy 1' })
    await send(test, 'DELETE', objectPath('from', 'original'))
    await put(test, 'from', 'copy 1', 'replaced')
    assert.ok((await get(test, 'from', 'copy 2')).bytes.equals(LARGE))
  })

  it('onto itself change nothing', async () => {
    assert.equal((await copy('from', { key: 'large', fromKey: 'large' })).status, 201)
    assert.ok((await get(test, 'from', 'large')).bytes.equals(LARGE))
  })

  it('need an original, and refuse what is no key', async () => {
    for (const to of ['from', 'far']) {
      assert.equal((await copy(to, { key: 'x', fromKey: 'none', fromBucket: 'from' })).status, 404)
      assert.equal((await copy(to, { key: 'x', fromKey: 'small', fromBucket: 'nowhere' })).status, 404)
      assert.equal(
        (await copy(to, { key: 'a\\b', fromKey: 'small', fromBucket: 'from' })).body.errors[0].pointer,
        '/key'
      )
      assert.equal((await copy(to, { key: 'x', fromKey: 'a\\b', fromBucket: 'from' })).status, 404)
    }
    assert.equal((await copy('from', { key: 'x' })).status, 400)
  })

  it('overwrite only what they may', async () => {
    for (const to of ['near', 'far']) {
      const body = { key: 'guarded', fromKey: 'large', fromBucket: 'from' }
      assert.equal((await copy(to, body, { 'if-none-match': '*' })).status, 201)
      assert.equal((await copy(to, body, { 'if-none-match': '*' })).status, 412)
      assert.equal((await copy(to, body, { 'if-match': '"0"' })).status, 412)
    }
    assert.deepEqual(leftovers(test.database.folder), [])
  })
})

describe('deleting objects', () => {
  let test: TestApp
  const BUCKET = 'deleting'

  before(async () => {
    test = await startTestApp()
    await makeBucket(test, BUCKET)
  })
  after(() => test.close())

  const deleteMany = (keys: unknown) =>
    test.call('POST', `/api/buckets/${BUCKET}/deletions`, { as: 'editor', body: { keys } })

  it('one by one, a second time is a 404', async () => {
    await put(test, BUCKET, 'folder/x', pattern(700_000))
    assert.equal((await send(test, 'DELETE', `/api/buckets/${BUCKET}/objects/folder/x`)).status, 204)
    assert.equal((await send(test, 'DELETE', objectPath(BUCKET, 'folder/x'))).status, 404)
    assert.equal((await send(test, 'DELETE', objectPath(BUCKET, 'a\\b'))).status, 404)
  })

  it('many at once, with those that failed by their place', async () => {
    for (const key of ['a', 'b', 'c', 'keep']) await put(test, BUCKET, key, key)
    const { status, body } = await deleteMany(['a', 'x\\y', 'b', 'none', `${'\u00fc'.repeat(600)}`, 'c', '..'])
    assert.equal(status, 200)
    assert.equal(body.deleted, 4)
    const failed = body.failed.map(({ index, code }: { index: number; code: string }) => [index, code])
    assert.deepEqual(failed, [
      [1, 'invalid_key'],
      [4, 'invalid_key'],
      [6, 'invalid_key']
    ])
    assert.match(body.failed[0].message, /backslash/)
    assert.deepEqual(await namesIn(test, BUCKET), ['keep'])
    const again = await deleteMany(['a', 'b', 'c'])
    assert.deepEqual([again.body.deleted, again.body.failed], [3, []], 'the whole can be sent again')
    const query = `action=object.delete&resourceId=${BUCKET}/b`
    const { logs } = (await test.call('GET', `/api/audit/logs?${query}`, { as: 'admin' })).body
    assert.equal(logs.length, 2, 'each has a row')
  })

  it('none at all, too many, or twice the same is refused', async () => {
    for (const keys of [[], ['a', 'a'], Array.from({ length: 1001 }, (_, n) => `${n}`), ['']]) {
      assert.equal((await deleteMany(keys)).status, 400)
    }
    const all = await deleteMany(Array.from({ length: 1000 }, (_, n) => `${n}`))
    assert.deepEqual([all.status, all.body.deleted], [200, 1000])
    assert.deepEqual((await deleteMany(['\\'])).body.failed.length, 1, 'also where nothing else is left to do')
  })

  it('once for one Idempotency-Key', async () => {
    await put(test, BUCKET, 'once', 'x')
    const call = (keys: string[]) =>
      test.call('POST', `/api/buckets/${BUCKET}/deletions`, {
        as: 'editor',
        body: { keys },
        headers: { 'idempotency-key': 'del-1' }
      })
    assert.equal((await call(['once'])).status, 200)
    await put(test, BUCKET, 'once', 'new')
    assert.equal((await call(['once'])).headers.get('idempotency-replayed'), 'true')
    assert.equal((await get(test, BUCKET, 'once')).status, 200)
    assert.equal((await call(['other'])).status, 422)
  })
})
