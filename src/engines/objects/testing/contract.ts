import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type ByteRange, type ListedObject, type ListQuery, type ObjectStore, supportsPresigning } from '../index.ts'
import { keyFault } from '../key.ts'
import type { OpenedStore } from '../open.ts'
import { bodyOf, brokenBody, pattern, quotedMd5, readAll } from './bodies.ts'
import { anyKey, NOTABLE_KEYS } from './keys.ts'
import { promisesOfParts } from './parts.ts'
import { isStoreError, refused } from './refused.ts'

export interface StoreUnderTest {
  /** Why the suite can't run here. */
  readonly missing: string | undefined
  start(): Promise<{ opened: OpenedStore; stop(): Promise<void> }>
  /** Why a test can't be run with this server, by its title. */
  readonly cannotShow?: Readonly<Record<string, string>>
  /** Whether an object put in one piece and one put as parts both have the MD5 as their entity tag. */
  readonly md5OfLarge: boolean
}

/** The tests that every store has to pass. */
export function objectStoreContract(
  name: string,
  { missing, start, cannotShow = {}, md5OfLarge }: StoreUnderTest
): void {
  describe(`${name} keeps the promises of an object store`, { skip: missing ?? false }, () => {
    let opened: OpenedStore
    let store: ObjectStore
    let stop: () => Promise<void>
    let buckets = 0
    const bucket = 'contract-test'
    before(async () => {
      ;({ opened, stop } = await start())
      store = opened.store
      await store.createBucket(bucket)
    })
    after(async () => {
      await opened?.close()
      await stop?.()
    })

    // Tests that the server can't run are left out and not counted; the documents list them.
    const unknown = new Set(Object.keys(cannotShow))
    const promise = (title: string, run: () => Promise<void>) => {
      if (!unknown.delete(title)) test(title, run)
    }
    const put = (key: string, content: string | Buffer, options = {}, body = {}) =>
      store.put(bucket, key, bodyOf(content, body), { contentType: 'text/plain', ...options })
    const contentOf = async (key: string, range?: ByteRange) => readAll((await store.get(bucket, key, { range })).body)
    const keys = async (query: Partial<ListQuery> = {}, of = bucket) => {
      const found: string[] = []
      let after: string | undefined
      do {
        const page = await store.list(of, { prefix: '', folders: false, limit: 1000, ...query, after })
        assert.ok(page.entries.length <= (query.limit ?? 1000))
        found.push(...page.entries.map((entry) => ('folder' in entry ? entry.folder : entry.key)))
        after = page.next
      } while (after !== undefined)
      return found
    }
    const newBucket = async () => {
      const made = `contract-test-${buckets++}`
      await store.createBucket(made)
      return made
    }

    promise('an object comes back as it was put, with its facts', async () => {
      const before = Date.now()
      const stored = await put('facts.txt', 'hello')
      for (const object of [stored, await store.head(bucket, 'facts.txt')]) {
        const { key, sizeBytes, etag, contentType, modifiedAt } = object
        assert.deepEqual(
          { key, sizeBytes, etag, contentType },
          {
            key: 'facts.txt',
            sizeBytes: 5,
            etag: quotedMd5('hello'),
            contentType: 'text/plain'
          }
        )
        assert.match(modifiedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.ok(Math.abs(Date.parse(modifiedAt) - before) < 60_000, modifiedAt)
      }
      const { object, start, end, body } = await store.get(bucket, 'facts.txt')
      assert.equal((await readAll(body)).toString(), 'hello')
      assert.deepEqual([object.etag, object.contentType, start, end], [stored.etag, 'text/plain', 0, 5])
      const { entries } = await store.list(bucket, { prefix: 'facts', folders: false, limit: 10 })
      const listed = entries[0] as ListedObject
      assert.deepEqual([listed.key, listed.sizeBytes, listed.etag], ['facts.txt', 5, stored.etag])
    })

    promise('empty, small and large contents come back byte for byte, announced or not', async () => {
      for (const bytes of [0, 1, 16_384, 16_385, 300_000, 9_000_000]) {
        for (const announced of [true, false]) {
          const content = pattern(bytes)
          const stored = await put(`size-${bytes}`, content, {}, { announced })
          assert.equal(stored.sizeBytes, bytes)
          if (md5OfLarge || bytes < 1_000_000) assert.equal(stored.etag, quotedMd5(content))
          assert.ok((await contentOf(`size-${bytes}`)).equals(content), `${bytes} bytes`)
        }
      }
    })

    promise('an object is replaced as a whole', async () => {
      await put('again', pattern(400_000))
      const replaced = await put('again', 'short', { contentType: 'text/csv' })
      assert.equal((await contentOf('again')).toString(), 'short')
      assert.equal((await store.head(bucket, 'again')).contentType, 'text/csv')
      assert.equal((await store.head(bucket, 'again')).etag, replaced.etag)
    })

    promise('parts of an object can be asked for', async () => {
      for (const [key, bytes] of [
        ['range-small', 1000],
        ['range-large', 300_000]
      ] as const) {
        const content = pattern(bytes)
        await put(key, content)
        const ranges: [ByteRange, number, number][] = [
          [{ start: 0, end: 0 }, 0, 1],
          [{ start: 10, end: 19 }, 10, 20],
          [{ start: 990 }, 990, bytes],
          [{ start: 0, end: bytes + 5 }, 0, bytes],
          [{ last: 7 }, bytes - 7, bytes],
          [{ last: bytes + 7 }, 0, bytes]
        ]
        for (const [range, start, end] of ranges) {
          const opened = await store.get(bucket, key, { range })
          assert.deepEqual([opened.start, opened.end, opened.object.sizeBytes], [start, end, bytes])
          assert.ok((await readAll(opened.body)).equals(content.subarray(start, end)), JSON.stringify(range))
        }
        const behind = store.get(bucket, key, { range: { start: bytes } })
        await assert.rejects(
          behind,
          (error) => isStoreError(error, 'range_not_satisfiable') && error.sizeBytes === bytes
        )
      }
    })

    promise('an object that changed is not mixed with its earlier self', async () => {
      const { etag } = await put('pinned', 'one')
      assert.equal((await readAll((await store.get(bucket, 'pinned', { ifMatch: etag })).body)).toString(), 'one')
      await put('pinned', 'two')
      await refused(store.get(bucket, 'pinned', { ifMatch: etag }), 'precondition_failed')
    })

    promise('a write can be made to depend on what is there', async () => {
      const first = await put('conditional', 'one', { ifAbsent: true })
      await refused(put('conditional', 'two', { ifAbsent: true }), 'precondition_failed')
      await refused(put('conditional', 'two', { ifMatch: quotedMd5('other') }), 'precondition_failed')
      await refused(put('conditional-none', 'two', { ifMatch: first.etag }), 'precondition_failed')
      assert.equal((await contentOf('conditional')).toString(), 'one')
      const second = await put('conditional', 'two', { ifMatch: first.etag })
      assert.equal(second.etag, quotedMd5('two'))
      await refused(
        put('conditional', pattern(9_000_000), { ifAbsent: true }, { announced: false }),
        'precondition_failed'
      )
      assert.equal((await contentOf('conditional')).toString(), 'two')
    })

    promise('of several that want to be the first, one is', async () => {
      const wanting = Array.from({ length: 8 }, (_, i) => put('race', `writer ${i}`, { ifAbsent: true }))
      const ended = await Promise.allSettled(wanting)
      assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 1)
      const winner = ended.findIndex(({ status }) => status === 'fulfilled')
      assert.equal((await contentOf('race')).toString(), `writer ${winner}`)
    })

    promise('a body that breaks off leaves the old object and nothing else', async () => {
      const folder = 'broken/'
      await put(`${folder}old`, 'whole')
      for (const key of ['old', 'new']) {
        for (const [bytes, announced] of [
          [1000, true],
          [1000, false],
          [9_000_000, false]
        ] as const) {
          const broken = store.put(bucket, folder + key, brokenBody(bytes, announced), { contentType: 'text/plain' })
          await assert.rejects(broken, /the sender hung up/)
        }
      }
      assert.equal((await contentOf(`${folder}old`)).toString(), 'whole')
      assert.deepEqual(await keys({ prefix: folder }), [`${folder}old`])
    })

    promise('a copy is an object of its own', async () => {
      const other = await newBucket()
      for (const [key, content] of [
        ['copy small', Buffer.from('small')],
        ['copy-größe+1%', pattern(300_000)]
      ] as const) {
        const original = await put(key, content, { contentType: 'image/png' })
        const copied = await store.copy({ bucket, key }, { bucket: other, key: `of/${key}` })
        assert.deepEqual([copied.key, copied.sizeBytes, copied.etag], [`of/${key}`, content.length, original.etag])
        await store.delete(bucket, [key])
        const { object, body } = await store.get(other, `of/${key}`)
        assert.ok((await readAll(body)).equals(content))
        assert.equal(object.contentType, 'image/png')
      }
      await refused(store.copy({ bucket, key: 'nothing' }, { bucket, key: 'x' }), 'no_such_key')
    })

    promise('a copy can be made to depend on what is there', async () => {
      await put('copy-from', 'new')
      await put('copy-to', 'old')
      const copy = () => store.copy({ bucket, key: 'copy-from' }, { bucket, key: 'copy-to' }, { ifAbsent: true })
      await refused(copy(), 'precondition_failed')
      assert.equal((await contentOf('copy-to')).toString(), 'old')
      await store.delete(bucket, ['copy-to'])
      assert.equal((await copy()).etag, quotedMd5('new'))
    })

    promise('what was deleted is gone, and deleting it again is no fault', async () => {
      for (const key of ['gone/1', 'gone/2', 'gone/3']) await put(key, key)
      assert.deepEqual(await store.delete(bucket, ['gone/1', 'gone/2', 'gone/never']), [])
      assert.deepEqual(await keys({ prefix: 'gone/' }), ['gone/3'])
      await refused(store.get(bucket, 'gone/1'), 'no_such_key')
      await refused(store.head(bucket, 'gone/1'), 'no_such_key')
      assert.deepEqual(await store.delete(bucket, ['gone/1']), [])
    })

    promise('a bucket that is not there is told apart from a key that is not there', async () => {
      const nowhere = 'contract-test-nowhere'
      await refused(store.head(bucket, 'no such key'), 'no_such_key')
      await refused(store.get(nowhere, 'x'), 'no_such_bucket')
      await refused(store.put(nowhere, 'x', bodyOf('x'), { contentType: 'text/plain' }), 'no_such_bucket')
      await refused(store.list(nowhere, { prefix: '', folders: false, limit: 10 }), 'no_such_bucket')
      await refused(store.deleteBucket(nowhere), 'no_such_bucket')
    })

    promise('a bucket can be made twice, and is only removed when it is empty', async () => {
      const made = await newBucket()
      await store.createBucket(made)
      await store.put(made, 'x', bodyOf('x'), { contentType: 'text/plain' })
      await refused(store.deleteBucket(made), 'bucket_not_empty')
      await store.delete(made, ['x'])
      await store.deleteBucket(made)
      await refused(store.deleteBucket(made), 'no_such_bucket')
    })

    promise('a listing shows folders once, in order, page by page', async () => {
      const listed = await newBucket()
      const names = ['a', 'a/b', 'a/b/c', 'a/d', 'a-b', 'a0', 'B', 'b/', 'b/x', 'c/1', 'c/2', 'ä/1', 'z', '中/文']
      for (const key of names) await store.put(listed, key, bodyOf(key), { contentType: 'text/plain' })
      const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      for (const limit of [1, 2, 3, 5, 1000]) {
        assert.deepEqual(await keys({ limit }, listed), sorted)
        const top = ['B', 'a', 'a-b', 'a/', 'a0', 'b/', 'c/', 'z', 'ä/', '中/']
        assert.deepEqual(await keys({ limit, folders: true }, listed), top, `pages of ${limit}`)
        assert.deepEqual(await keys({ limit, folders: true, prefix: 'a/' }, listed), ['a/b', 'a/b/', 'a/d'])
        assert.deepEqual(await keys({ limit, folders: true, prefix: 'b/' }, listed), ['b/', 'b/x'])
        assert.deepEqual(await keys({ limit, prefix: 'c' }, listed), ['c/1', 'c/2'])
      }
      assert.deepEqual(await keys({ prefix: 'nothing' }, listed), [])
    })

    promise('every notable key works for itself', async () => {
      const made = await newBucket()
      for (const key of NOTABLE_KEYS) {
        assert.equal(keyFault(key), undefined, key)
        await store.put(made, key, bodyOf(key), { contentType: 'text/plain' })
      }
      const sorted = NOTABLE_KEYS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      assert.deepEqual(await keys({}, made), sorted)
      for (const key of NOTABLE_KEYS) {
        const { body } = await store.get(made, key)
        assert.equal((await readAll(body)).toString(), key)
      }
    })

    promise('any key that is accepted comes back equal', async () => {
      const made = await newBucket()
      await fc.assert(
        fc.asyncProperty(anyKey, async (key) => {
          fc.pre(keyFault(key) === undefined)
          await store.put(made, key, bodyOf(key), { contentType: 'text/plain' })
          assert.equal((await store.head(made, key)).key, key)
          assert.equal((await readAll((await store.get(made, key)).body)).toString(), key)
          assert.deepEqual(await keys({}, made), [key])
          assert.deepEqual(await keys({ prefix: key }, made), [key])
          if (supportsPresigning(store)) {
            const link = await store.presign(made, key, { expiresInSeconds: 60 })
            const answer = await fetch(link)
            assert.equal(await answer.text(), key, link)
          }
          assert.deepEqual(await store.delete(made, [key]), [])
          assert.deepEqual(await keys({}, made), [])
        }),
        { numRuns: 60 }
      )
    })

    promisesOfParts({ promise, put, contentOf, keys, newBucket, bucket, current: () => store })

    test('what can’t be shown are promises', () => assert.deepEqual([...unknown], []))
  })
}
