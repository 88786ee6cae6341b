import assert from 'node:assert/strict'
import {
  type ListQuery,
  MIN_PART_BYTES,
  type ObjectStore,
  type StoredObject,
  supportsMultipart,
  supportsPresigning
} from '../index.ts'
import { bodyOf, pattern } from './bodies.ts'
import { refused } from './refused.ts'

/** What the tests have in common: a store that is open once the tests run, and a bucket in it. */
export interface Suite {
  promise(title: string, run: () => Promise<void>): void
  put(key: string, content: string | Buffer): Promise<StoredObject>
  contentOf(key: string): Promise<Buffer>
  keys(query?: Partial<ListQuery>, of?: string): Promise<string[]>
  newBucket(): Promise<string>
  readonly bucket: string
  current(): ObjectStore
}

/** Tests of uploads in parts, and of the store's own links. */
export function promisesOfParts({ promise, put, contentOf, keys, newBucket, bucket, current }: Suite): void {
  promise('an upload in parts takes them in any order and again', async () => {
    const store = current()
    if (!supportsMultipart(store)) return
    const parts = [pattern(MIN_PART_BYTES), pattern(MIN_PART_BYTES + 7).reverse(), pattern(1000)]
    const key = 'in parts/ü'
    await put(key, 'old')
    const uploadId = await store.startUpload(bucket, key, 'application/x-parts')
    const upload = { bucket, key, uploadId }
    const third = await store.putPart(upload, 3, bodyOf(parts[2] as Buffer))
    await store.putPart(upload, 1, bodyOf('a first try that is sent again'))
    const [first, second] = await Promise.all([
      store.putPart(upload, 1, bodyOf(parts[0] as Buffer)),
      store.putPart(upload, 2, bodyOf(parts[1] as Buffer, { announced: false }))
    ])
    assert.equal((await contentOf(key)).toString(), 'old')
    assert.deepEqual(await keys({ prefix: 'in parts/' }), [key])
    const stored = await store.completeUpload(upload, [first, second, third], { contentType: 'application/x-parts' })
    const whole = Buffer.concat(parts)
    assert.equal(stored.sizeBytes, whole.length)
    assert.equal((await store.head(bucket, key)).contentType, 'application/x-parts')
    assert.ok((await contentOf(key)).equals(whole))
    await refused(store.putPart(upload, 4, bodyOf('late')), 'no_such_upload')
  })

  promise('an upload in parts that is given up leaves nothing', async () => {
    const store = current()
    if (!supportsMultipart(store)) return
    const made = await newBucket()
    const upload = {
      bucket: made,
      key: 'given up',
      uploadId: await store.startUpload(made, 'given up', 'text/plain')
    }
    const part = await store.putPart(upload, 1, bodyOf('some'))
    assert.deepEqual(await keys({}, made), [])
    await store.abortUpload(upload)
    await store.abortUpload(upload)
    await refused(store.completeUpload(upload, [part], { contentType: 'text/plain' }), 'no_such_upload')
    await store.deleteBucket(made)
  })

  promise('an upload in parts keeps to the conditions of a write', async () => {
    const store = current()
    if (!supportsMultipart(store)) return
    await put('parts-there', 'old')
    const uploadId = await store.startUpload(bucket, 'parts-there', 'text/plain')
    const upload = { bucket, key: 'parts-there', uploadId }
    const part = await store.putPart(upload, 1, bodyOf('new'))
    const options = { contentType: 'text/plain', ifAbsent: true }
    await refused(store.completeUpload(upload, [part], options), 'precondition_failed')
    assert.equal((await contentOf('parts-there')).toString(), 'old')
    await store.abortUpload(upload)
  })

  promise('a link of the store’s own is good for one object, one method and its time', async () => {
    const store = current()
    if (!supportsPresigning(store)) return
    await put('linked', 'linked content')
    await put('other', 'other content')
    const link = await store.presign(bucket, 'linked', { expiresInSeconds: 60, downloadAs: 'Bericht "1".txt' })
    const answer = await fetch(link)
    assert.equal(await answer.text(), 'linked content')
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename/)
    for (const [other, method] of [
      [link.replace('/linked?', '/other?'), 'GET'],
      [link, 'DELETE'],
      [link.slice(0, -4) + (link.endsWith('AAAA') ? 'BBBB' : 'AAAA'), 'GET']
    ] as const) {
      const refusal = await fetch(other, { method })
      await refusal.arrayBuffer()
      assert.equal(refusal.status, 403, `${method} ${other}`)
    }
  })
}
