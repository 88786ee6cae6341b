// Once: listings of the disk store.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeBucket, namesIn, objectPath, put, send } from '../../../test/support/objects/client.ts'

const BUCKET = 'listing'
const KEYS = ['a', 'a/', 'a/1', 'a/2', 'a/b/3', 'a/b/4', 'a/c/5', 'a0', 'b/6', 'z', '\u00fc/7', '\ud83d\ude80']

describe('the list of objects', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    await makeBucket(test, BUCKET)
    await Promise.all(KEYS.map((key) => put(test, BUCKET, key, key)))
  })
  after(() => test.close())

  const list = (query: string) => send(test, 'GET', `/api/buckets/${BUCKET}/objects?${query}`, { as: 'viewer' })
  const names = (query: string) => namesIn(test, BUCKET, query)

  it('shows what lies right under the prefix, and each folder once', async () => {
    assert.deepEqual(await names(''), ['a', 'a/', 'a0', 'b/', 'z', '\u00fc/', '\ud83d\ude80'])
    assert.deepEqual(await names('prefix=a/'), ['a/', 'a/1', 'a/2', 'a/b/', 'a/c/'])
    assert.deepEqual(await names('prefix=a/b/&delimiter=/'), ['a/b/3', 'a/b/4'])
    assert.deepEqual(await names('prefix=a'), ['a', 'a/', 'a0'])
    assert.deepEqual(await names('prefix=none/'), [])
    assert.deepEqual(await names(`prefix=${encodeURIComponent('\u00fc')}`), ['\u00fc/'])
    const { body } = await list('')
    assert.deepEqual([body.bucket, body.prefix, body.total, body.nextCursor], [BUCKET, '', 7, null])
    const folder = { size: 0, lastModified: null, etag: null, isFolder: true }
    assert.deepEqual(body.objects[3], { name: 'b/', ...folder })
    const { lastModified, ...object } = body.objects[0]
    assert.match(lastModified, /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.deepEqual(object, { name: 'a', size: 1, etag: '"0cc175b9c0f1b6a831c399e269772661"', isFolder: false })
  })

  it('shows everything when asked for it, in the order of the bytes', async () => {
    assert.deepEqual(await names('recursive=true'), KEYS)
    assert.deepEqual(await names('recursive=true&prefix=a/b'), ['a/b/3', 'a/b/4'])
  })

  it('comes in pages of any size, with nothing twice or left out', async () => {
    for (const [query, expected] of [
      ['', ['a', 'a/', 'a0', 'b/', 'z', '\u00fc/', '\ud83d\ude80']],
      ['recursive=true', KEYS],
      ['prefix=a/', ['a/', 'a/1', 'a/2', 'a/b/', 'a/c/']]
    ] as const) {
      for (const limit of [1, 2, 3, 1000]) {
        const found: string[] = []
        let cursor: string | null = ''
        while (cursor !== null) {
          const { status, body } = await list(`${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
          assert.equal(status, 200)
          assert.ok(body.objects.length <= limit)
          found.push(...body.objects.map(({ name }: { name: string }) => name))
          cursor = body.nextCursor
        }
        assert.deepEqual(found, expected, `${query} by ${limit}`)
      }
    }
  })

  it('goes on rightly while objects come and go', async () => {
    await makeBucket(test, 'moving')
    const of = async (query: string) =>
      (await send(test, 'GET', `/api/buckets/moving/objects?limit=2&${query}`, { as: 'viewer' })).body
    for (const key of ['b', 'd', 'f', 'h', 'j']) await put(test, 'moving', key, key)
    const first = await of('')
    assert.equal(first.total, null, 'not known without listing them all')
    for (const key of ['b', 'd', 'f']) await send(test, 'DELETE', objectPath('moving', key))
    for (const key of ['a', 'c', 'g']) await put(test, 'moving', key, key)
    const second = await of(`cursor=${first.nextCursor}`)
    const third = await of(`cursor=${second.nextCursor}`)
    const seen = [first, second, third].flatMap(({ objects }) => objects.map(({ name }: { name: string }) => name))
    assert.deepEqual(seen, ['b', 'd', 'g', 'h', 'j'])
  })

  it('refuses a cursor that is not of this list', async () => {
    const { nextCursor } = (await list('prefix=a/&limit=1')).body
    assert.equal((await list(`prefix=a/&cursor=${nextCursor}`)).status, 200)
    for (const query of [
      `cursor=${nextCursor}`,
      `prefix=b/&cursor=${nextCursor}`,
      `prefix=a/&recursive=true&cursor=${nextCursor}`
    ]) {
      const { status, body } = await list(query)
      assert.deepEqual([status, body.errors[0].pointer], [400, '/query/cursor'])
    }
    const forged = [[1, 'a/', false], ['x'], {}, null, ['', 'a/', false], ['x\0', 'a/', false]]
    for (const content of forged) {
      const cursor = Buffer.from(JSON.stringify(content)).toString('base64url')
      assert.equal((await list(`prefix=a/&cursor=${cursor}`)).status, 400, JSON.stringify(content))
    }
    for (const cursor of ['x', '%00', '!!!', 'bnVsbA'])
      assert.equal((await list(`cursor=${cursor}`)).status, 400, cursor)
  })

  it('refuses questions that mean nothing', async () => {
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'delimiter=:', 'recursive=2', 'sort=name', 'page=2']) {
      assert.equal((await list(query)).status, 400, query)
    }
    assert.equal((await list(`prefix=${'p'.repeat(1025)}`)).status, 400)
  })
})
