import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { serve } from '../../outbound/testing/servers.ts'
import { bodyOf, pattern, quotedMd5, readAll } from '../testing/bodies.ts'
import { createUploadBody } from '../upload-body.ts'
import { openFor, openOnJsonApi } from './testing/open.ts'

const options = { contentType: 'text/plain' }

test('conditions reach the store as generations, with every kind of write', async (t) => {
  const { api, store } = await openOnJsonApi(t)
  const { etag } = await store.put('bucket', 'key', bodyOf('one'), { ...options, ifAbsent: true })
  const generation = api.objects.object('bucket', 'key').generation
  const from = { bucket: 'bucket', key: 'key' }
  await store.put('bucket', 'from', bodyOf('two'), options)
  const upload = { bucket: 'bucket', key: 'key', uploadId: await store.startUpload('bucket', 'key', 'text/plain') }
  const part = await store.putPart(upload, 1, bodyOf('three'))
  // Another writer changes the object between the check and the write.
  api.control.instead = (seen) =>
    seen.query.has('ifGenerationMatch') && seen.method === 'POST' ? { status: 412, body: {} } : undefined
  api.seen.length = 0
  const conditional = { ...options, ifMatch: etag }
  for (const write of [
    () => store.put('bucket', 'key', bodyOf('two'), conditional),
    () => store.put('bucket', 'key', bodyOf(pattern(9_000_000)), conditional),
    () => store.copy({ bucket: 'bucket', key: 'from' }, from, { ifMatch: etag }),
    () => store.completeUpload(upload, [part], conditional)
  ]) {
    await assert.rejects(write(), { code: 'precondition_failed' })
  }
  const writes = api.seen.filter(({ method }) => method !== 'GET')
  assert.deepEqual(
    writes.map(({ path, query }) => [path.split('/').at(-1), query.get('ifGenerationMatch')]),
    ['o', 'o', 'key', 'compose'].map((last) => [last, generation])
  )
})

test('many parts are composed in rounds of 32 and nothing of them stays', async (t) => {
  const { api, store } = await openOnJsonApi(t)
  const upload = { bucket: 'bucket', key: 'whole', uploadId: await store.startUpload('bucket', 'whole', 'text/plain') }
  const parts = await Promise.all(Array.from({ length: 70 }, (_, i) => store.putPart(upload, i + 1, bodyOf(`${i},`))))
  await assert.rejects(store.completeUpload(upload, [{ number: 71, sizeBytes: 1, etag: '"x"' }], options), {
    code: 'invalid_part'
  })
  api.seen.length = 0
  const stored = await store.completeUpload(upload, parts, { contentType: 'text/csv' })
  const composed = api.seen.filter(({ path }) => path.endsWith('/compose'))
  assert.deepEqual(
    composed.map(({ body }) => JSON.parse(body.toString()).sourceObjects.length),
    [32, 32, 6, 3]
  )
  assert.equal(stored.contentType, 'text/csv')
  const { body } = await store.get('bucket', 'whole', { ifMatch: stored.etag })
  assert.equal((await readAll(body)).toString(), Array.from({ length: 70 }, (_, i) => `${i},`).join(''))
  assert.deepEqual([...api.objects.bucket('bucket').keys()], ['whole'])
})

test('a server that can’t compose gets the parts joined on the way through here', async (t) => {
  const { api, store } = await openOnJsonApi(t)
  api.control.instead = ({ path }) => (path.endsWith('/compose') ? { status: 501, body: 'Not Implemented' } : undefined)
  const upload = { bucket: 'bucket', key: 'whole', uploadId: await store.startUpload('bucket', 'whole', 'text/plain') }
  const parts = [await store.putPart(upload, 1, bodyOf('one ')), await store.putPart(upload, 2, bodyOf('two'))]
  const { etag } = await store.completeUpload(upload, parts, options)
  assert.equal(etag, quotedMd5('one two'))
})

test('parts are out of sight, and listings pass over all of them at once', async (t) => {
  const { api, store } = await openOnJsonApi(t)
  const upload = { bucket: 'bucket', key: 'x', uploadId: await store.startUpload('bucket', 'x', 'text/plain') }
  await Promise.all(Array.from({ length: 50 }, (_, i) => store.putPart(upload, i + 1, bodyOf('part'))))
  for (const key of ['!first', '.millrace-uploads', 'last']) await store.put('bucket', key, bodyOf(key), options)
  api.seen.length = 0
  for (const folders of [false, true]) {
    const shown: unknown[] = []
    let after: string | undefined
    do {
      const page = await store.list('bucket', { prefix: '', folders, limit: 1, after })
      shown.push(...page.entries.map((entry) => ('key' in entry ? entry.key : entry.folder)))
      after = page.next
    } while (after !== undefined)
    assert.deepEqual(shown, ['!first', '.millrace-uploads', 'last'])
  }
  assert.ok(api.seen.length <= 10, `${api.seen.length} requests`)
  await store.delete('bucket', ['!first', '.millrace-uploads', 'last'])
  await store.deleteBucket('bucket')
  assert.equal(api.objects.buckets.size, 0)
})

test('a bucket of somebody else is taken', async (t) => {
  const { api, store } = await openOnJsonApi(t)
  api.control.instead = ({ path }) => (path.endsWith('/b/bucket') ? { status: 403, body: {} } : undefined)
  await assert.rejects(store.createBucket('bucket'), { code: 'bucket_taken' })
})

test('content up to 8 MiB goes with its digests, and what arrives damaged is removed', async (t) => {
  const { api, store } = await openOnJsonApi(t)
  const { sha256 } = await store.put('bucket', 'small', bodyOf('content'), options)
  assert.equal(sha256, createHash('sha256').update('content').digest('hex'))
  assert.equal((await store.head('bucket', 'small')).sha256, sha256)
  const md5Hash = createHash('md5').update('content').digest('base64')
  assert.ok(api.seen[0]?.body.includes(`"md5Hash":"${md5Hash}"`))
  api.control.instead = ({ method }) => {
    if (method !== 'PUT') return undefined
    return { status: 200, body: api.objects.write('bucket', 'large', { content: Buffer.from('something else') }) }
  }
  const damaged = store.put('bucket', 'large', bodyOf(pattern(9_000_000)), options)
  await assert.rejects(damaged, { code: 'store_failed', message: /damaged/ })
  assert.deepEqual([...api.objects.bucket('bucket').keys()], ['small'])
})

test('a link ends when its time is up, and says under which name to save', async (t) => {
  const { store } = await openOnJsonApi(t)
  await store.put('bucket', 'key', bodyOf('content'), options)
  const link = await store.presign('bucket', 'key', { expiresInSeconds: 90, downloadAs: 'ä.txt' })
  assert.equal(new URL(link).searchParams.get('X-Goog-Expires'), '90')
  const answer = await fetch(link)
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="_.txt"; filename*=UTF-8''%C3%A4.txt`)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 91_000 })
  const late = await fetch(link)
  assert.equal(late.status, 403)
})

test('a content streams through with a bounded part of it in memory', async (t) => {
  const md5 = createHash('md5')
  let received = 0
  const { port } = await serve(t, async (request, response) => {
    if (request.method === 'POST') {
      response.setHeader('location', 'http://x/session')
      response.end()
      return
    }
    for await (const chunk of request) {
      md5.update(chunk)
      received += chunk.length
    }
    const facts = { name: 'key', size: String(received), updated: new Date().toISOString(), generation: '1', etag: 'x' }
    response.end(JSON.stringify({ ...facts, md5Hash: md5.digest('base64') }))
  })
  let sent = 0
  let peakBytes = 0
  const block = pattern(65_536)
  const source = async function* () {
    for (let i = 0; i < 1000; i++) {
      yield block
      sent += block.length
      peakBytes = Math.max(peakBytes, sent - received)
    }
  }
  const { sizeBytes } = await openFor(t, { port }).put('bucket', 'key', createUploadBody(source()), options)
  assert.equal(sizeBytes, 1000 * 65_536)
  // Content waits only in our buffers and in those of the sockets.
  assert.ok(peakBytes < 16_000_000, `${peakBytes} bytes`)
})
