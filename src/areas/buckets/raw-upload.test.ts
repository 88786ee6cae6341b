// Once: bodies on their way to the disk store.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { form, get, makeBucket, namesIn, postForm, put, send } from '../../../test/support/objects/client.ts'
import { leftovers } from '../../../test/support/objects/leftovers.ts'

const LIMIT_BYTES = 3_000_000

describe('an upload as it is', () => {
  let test: TestApp
  let bucket: string
  let count = 0

  before(async () => {
    test = await startTestApp({ env: { MAX_OBJECT_BYTES: String(LIMIT_BYTES) } })
  })
  beforeEach(async () => {
    bucket = await makeBucket(test, `raw-${count++}`)
  })
  after(() => test.close())

  const at = (key: string) => `/api/buckets/${bucket}/objects/${key}`

  it('takes the key with plain slashes and with encoded ones', async () => {
    for (const [written, key] of [
      ['a/b/c.txt', 'a/b/c.txt'],
      ['d%2Fe%2ff', 'd/e/f'],
      ['g/h%20i+j%2Bk', 'g/h i+j+k'],
      ['trailing/', 'trailing/'],
      ['%2Fleading', '/leading'],
      ['/twice', '/twice'],
      ['a//b', 'a//b'],
      ['x%2Furl', 'x/url'],
      ['url', 'url'],
      ['%25zz%3Fq%23f', '%zz?q#f'],
      ['%F0%9F%9A%80', '\ud83d\ude80']
    ] as const) {
      const { status, body } = await send(test, 'PUT', at(written), { body: key })
      assert.deepEqual([status, body?.name], [201, key])
      const { status: read, bytes } = await send(test, 'GET', at(written), { as: 'viewer' })
      assert.deepEqual([read, String(bytes)], [200, key])
    }
    const link = await send(test, 'GET', at('x%2Furl/url'), { as: 'viewer' })
    assert.equal(String((await send(test, 'GET', link.body.url, { as: null })).bytes), 'x/url')
    assert.equal((await send(test, 'PUT', at('x/url'), { body: 'x' })).status, 405, 'that is the link to x')
    assert.equal((await send(test, 'DELETE', at('x%2Furl'))).status, 204)
  })

  it('refuses keys that some store or client would change, saying why', async () => {
    for (const [key, why] of [
      ['a%5Cb', /backslash/],
      ['a%0Ab', /control characters/],
      ['a./b', /dot at its end/],
      ['k'.repeat(1025), /1024 bytes/],
      ['%C3%BC'.repeat(513), /1024 bytes/]
    ] as const) {
      const { status, body } = await send(test, 'PUT', at(key), { body: 'x' })
      assert.deepEqual([status, body.errors?.[0].pointer], [400, '/path/key'], key)
      assert.match(body.errors[0].message, why)
    }
    assert.equal((await send(test, 'PUT', at('%zz'), { body: 'x' })).status, 400)
    assert.equal((await send(test, 'PUT', at('%ff'), { body: 'x' })).status, 400)
    assert.equal((await send(test, 'PUT', at(''), { body: 'x' })).status, 400)
    assert.deepEqual(await namesIn(test, bucket), [])
  })

  it('keeps the media type, and refuses what is none', async () => {
    for (const type of ['text/csv', 'text/plain; charset=utf-8', 'application/vnd.x+json', 'multipart/form-data']) {
      const { body } = await put(test, bucket, 'typed', 'x', { 'content-type': type })
      assert.equal(body.contentType, type)
      assert.equal((await get(test, bucket, 'typed')).headers.get('content-type'), type)
    }
    const untyped = await put(test, bucket, 'typed', Buffer.from('x'))
    assert.equal(untyped.body.contentType, 'application/octet-stream')
    for (const type of ['html', 'text/html\u00e9', 'a/b/c', `text/${'x'.repeat(300)}`]) {
      const { status } = await put(test, bucket, 'typed', 'x', { 'content-type': type })
      assert.ok(status === 400 || status === 415, type)
    }
  })

  it('takes an empty body, with and without a length', async () => {
    assert.deepEqual((await put(test, bucket, 'empty', '')).body.size, 0)
    const stream = new ReadableStream({ start: (controller) => controller.close() })
    assert.deepEqual((await put(test, bucket, 'empty-stream', stream)).body.size, 0)
    assert.equal((await get(test, bucket, 'empty')).bytes.length, 0)
  })

  it('checks the content against what its sender says of it', async () => {
    const content = Buffer.alloc(700_000, 'c')
    const digest = (name: string, of: Buffer | string = content) => createHash(name).update(of).digest('base64')
    const status = async (headers: Record<string, string>) => (await put(test, bucket, 'k', content, headers)).status
    assert.equal(await status({ 'content-md5': digest('md5', 'other') }), 400)
    assert.equal(await status({ 'repr-digest': `sha-256=:${digest('sha256', 'other')}:` }), 400)
    assert.equal(await status({ 'content-digest': `sha-512=:x:, sha-256=:${digest('sha256', 'other')}:` }), 400)
    assert.equal(await status({ 'content-md5': 'not one' }), 400)
    assert.deepEqual(await namesIn(test, bucket), [])
    assert.deepEqual(leftovers(test.database.folder), [])
    assert.equal(await status({ 'content-md5': digest('md5') }), 201)
    assert.equal(await status({ 'repr-digest': `sha-512=:x:, sha-256=:${digest('sha256')}:` }), 201)
    assert.equal(await status({ digest: `SHA-256=${digest('sha256')}` }), 201)
    assert.equal(await status({ digest: `SHA-256=${digest('sha256', 'other')}` }), 400)
    const both = { 'repr-digest': `sha-256=:${digest('sha256')}:`, 'content-md5': digest('md5', 'other') }
    assert.equal(await status(both), 400)
    const { headers } = await get(test, bucket, 'k')
    assert.equal(headers.get('repr-digest'), `sha-256=:${digest('sha256')}:`)
  })

  it('is the whole and as it is: a part, or what is packed, is refused and leaves what was there', async () => {
    await put(test, bucket, 'k', 'whole')
    const part = await put(test, bucket, 'k', 'part', { 'content-range': 'bytes 0-3/8' })
    assert.deepEqual([part.status, part.body.code, part.body.header], [400, 'header_not_supported', 'content-range'])
    const packed = await put(test, bucket, 'k', gzipSync('x'), { 'content-encoding': 'gzip' })
    assert.deepEqual([packed.status, packed.headers.get('accept-encoding')], [415, 'identity'])
    const late = await put(test, bucket, 'k', 'x', { 'if-unmodified-since': 'Mon, 09 Mar 2026 13:00:00 GMT' })
    assert.equal(late.body.code, 'header_not_supported')
    const gone = await send(test, 'DELETE', at('k'), { headers: { 'if-match': '"other"' } })
    assert.equal(gone.body.code, 'header_not_supported')
    assert.equal(String((await get(test, bucket, 'k')).bytes), 'whole')
  })

  it('that is too large is refused, announced or not, and leaves nothing behind', async () => {
    await put(test, bucket, 'k', 'old')
    const announced = await put(test, bucket, 'k', Buffer.alloc(LIMIT_BYTES + 1))
    assert.deepEqual([announced.status, announced.body.code], [413, 'payload_too_large'])
    const pieces = Array.from({ length: 4 }, () => Buffer.alloc(LIMIT_BYTES / 3))
    const unannounced = await put(test, bucket, 'k', ReadableStream.from(pieces))
    assert.deepEqual([unannounced.status, unannounced.body.code], [413, 'payload_too_large'])
    assert.equal(String((await get(test, bucket, 'k')).bytes), 'old')
    assert.deepEqual(leftovers(test.database.folder), [])
    assert.equal((await put(test, bucket, 'k', ReadableStream.from(pieces.slice(1)))).status, 201)
  })

  it('overwrites only what it may, also when many try', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put(test, bucket, 'first', `${n}`, { 'if-none-match': '*' }))
    )
    assert.deepEqual(all.map(({ status }) => status).sort(), [201, ...Array(11).fill(412)])
    const winner = all.findIndex(({ status }) => status === 201)
    assert.equal(String((await get(test, bucket, 'first')).bytes), String(winner))
    const etag = all[winner]?.body.etag
    const next = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put(test, bucket, 'first', `next ${n}`, { 'if-match': etag }))
    )
    assert.deepEqual(next.map(({ status }) => status).sort(), [201, ...Array(11).fill(412)])
    assert.equal((await put(test, bucket, 'none', 'x', { 'if-match': etag })).status, 412)
  })

  it('is told to others with bucket, key, size and entity tag, and so is its end', async () => {
    const heard: Record<string, unknown>[] = []
    const off = test.platform.bus.subscribe('object.*', (event) => heard.push({ ...event }))
    const { body } = await put(test, bucket, 'news/x', 'abc', { 'content-type': 'text/plain' })
    await put(test, bucket, 'news/x', 'abc', { 'if-none-match': '*' })
    await postForm(test, bucket, form(['file', 'y', 'y.txt']))
    await send(test, 'DELETE', at('news/x'))
    const id = `${bucket}/news/x`
    await eventually(() => heard.length >= 3)
    assert.deepEqual(heard[0], {
      type: 'object.created',
      id,
      bucket,
      key: 'news/x',
      sizeBytes: 3,
      etag: body.etag,
      contentType: 'text/plain'
    })
    assert.deepEqual([heard[1]?.type, heard[1]?.key], ['object.created', 'y.txt'])
    assert.deepEqual(heard[2], { type: 'object.deleted', id, bucket, key: 'news/x' })
    assert.equal(heard.length, 3, 'what was refused is no news')
    off()
  })
})
