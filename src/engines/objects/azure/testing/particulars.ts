import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, type TestContext, test } from 'node:test'
import type { Azurite } from '../../../../../test/support/servers/azurite.ts'
import { createOutbound } from '../../../outbound/index.ts'
import { createUploadBody, type UploadBody } from '../../index.ts'
import { bodyOf, pattern, quotedMd5, readAll } from '../../testing/bodies.ts'
import { BLOCK_BYTES } from '../blocks.ts'
import { AzureClient } from '../client.ts'
import { copyObject } from '../copy.ts'
import { answerWith, serveInFront } from './front.ts'
import { openFor, settingsFor, settingsOf } from './stores.ts'

const TYPE = { contentType: 'text/plain' }
const MIB = 1024 * 1024

const large = (bytes: number) => Buffer.alloc(bytes, pattern(65_537))

/** A body that stops half way until it is told to go on. */
function haltingBody(content: Buffer, at: number): { body: UploadBody; halted: Promise<void>; resume(): void } {
  const halted = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  async function* pieces() {
    for (let offset = 0; offset < at; offset += MIB) yield content.subarray(offset, offset + MIB)
    halted.resolve()
    await resumed.promise
    yield content.subarray(at)
  }
  return { body: createUploadBody(pieces()), halted: halted.promise, resume: resumed.resolve }
}

/** Tests of behaviour that only Azure has. */
export function particularTests(server: () => Azurite): void {
  const bucket = 'particulars'
  before(async () => {
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const client = new AzureClient(settingsOf(server()), outbound)
    await client.container(bucket).create()
    client.close()
    await outbound.close()
  })

  const open = (t: TestContext, port = server().port) => openFor(t, { ...settingsOf(server()), port })
  const contentOf = async (store: ReturnType<typeof open>, key: string) => readAll((await store.get(bucket, key)).body)

  test('MD5 and SHA-256 are kept with whatever was put, and go along with a copy', async (t) => {
    const store = open(t)
    for (const bytes of [10, BLOCK_BYTES, BLOCK_BYTES * 2 + 5]) {
      const content = large(bytes)
      const facts = [quotedMd5(content), createHash('sha256').update(content).digest('hex'), bytes]
      const put = await store.put(bucket, 'digests', bodyOf(content, { announced: false }), TYPE)
      const copy = await store.copy({ bucket, key: 'digests' }, { bucket, key: 'digests copied' })
      const { object, body } = await store.get(bucket, 'digests copied', { range: { start: 1 } })
      assert.ok((await readAll(body)).equals(content.subarray(1)))
      for (const { etag, sha256, sizeBytes } of [put, copy, object, await store.head(bucket, 'digests')]) {
        assert.deepEqual([etag, sha256, sizeBytes], facts)
      }
    }
  })

  test('a part may be larger than a block, and an object without MD5 has a tag that can be used', async (t) => {
    const store = open(t)
    const content = large(BLOCK_BYTES * 2 + 77)
    const upload = { bucket, key: 'large part', uploadId: await store.startUpload(bucket, 'large part', 'text/plain') }
    const parts = [
      await store.putPart(upload, 1, bodyOf(content)),
      await store.putPart(upload, 2, bodyOf('end', { announced: false }))
    ]
    const { etag } = await store.completeUpload(upload, parts, TYPE)
    assert.ok((await contentOf(store, upload.key)).equals(Buffer.concat([content, Buffer.from('end')])))
    const { entries } = await store.list(bucket, { prefix: upload.key, folders: false, limit: 2 })
    assert.deepEqual(entries, [{ ...entries[0], key: upload.key, etag }])
    await assert.rejects(store.put(bucket, upload.key, bodyOf('x'), { ...TYPE, ifMatch: '"0x1"' }), {
      code: 'precondition_failed'
    })
    await store.put(bucket, upload.key, bodyOf('x'), { ...TYPE, ifMatch: etag })
  })

  test('parts that were never stored, and tags of another store, are invalid', async (t) => {
    const store = open(t)
    const upload = { bucket, key: 'odd parts', uploadId: await store.startUpload(bucket, 'odd parts', 'text/plain') }
    const part = await store.putPart(upload, 1, bodyOf('one'))
    for (const etag of [quotedMd5('one'), `"${'a'.repeat(12)}.1"`]) {
      await assert.rejects(store.completeUpload(upload, [{ ...part, etag }], TYPE), { code: 'invalid_part' })
    }
    const stranger = { ...upload, uploadId: 'a'.repeat(20) }
    await assert.rejects(store.putPart(stranger, 1, bodyOf('x')), { code: 'no_such_upload' })
    await assert.rejects(store.putPart({ ...upload, uploadId: '../x' }, 1, bodyOf('x')), { code: 'no_such_upload' })
    await store.completeUpload(upload, [part], TYPE)
    assert.equal((await contentOf(store, 'odd parts')).toString(), 'one')
  })

  test('two uploads in parts to one key do not mix; the one that ends later has to be sent again', async (t) => {
    const store = open(t)
    const start = async () => ({ bucket, key: 'shared', uploadId: await store.startUpload(bucket, 'shared', 'a/b') })
    const [first, second] = [await start(), await start()]
    const one = await store.putPart(first, 1, bodyOf('first'))
    const two = await store.putPart(second, 1, bodyOf('second'))
    await store.completeUpload(second, [two], TYPE)
    await store.putPart(await start(), 1, bodyOf('third'))
    assert.equal((await contentOf(store, 'shared')).toString(), 'second')
    await assert.rejects(store.completeUpload(first, [one], TYPE), { code: 'no_such_upload', message: /another write/ })
    assert.equal((await contentOf(store, 'shared')).toString(), 'second')
  })

  test('a large write that another one overtakes fails, and leaves what the other one wrote', async (t) => {
    const store = open(t)
    const { body, halted, resume } = haltingBody(large(BLOCK_BYTES * 4), BLOCK_BYTES * 3 + 2 * MIB)
    const slow = store.put(bucket, 'overtaken', body, TYPE)
    await halted
    const quick = large(BLOCK_BYTES + 1)
    await store.put(bucket, 'overtaken', bodyOf(quick), TYPE)
    resume()
    await assert.rejects(slow, { code: 'store_failed', message: /Another write.*send it again/ })
    assert.ok((await contentOf(store, 'overtaken')).equals(quick))
  })

  test('a large content that is refused half way is let go', async (t) => {
    const store = open(t)
    await store.put(bucket, 'there already', bodyOf('x'), TYPE)
    let letGo = false
    async function* pieces() {
      try {
        for (;;) yield Buffer.alloc(MIB)
      } finally {
        letGo = true
      }
    }
    const put = store.put(bucket, 'there already', createUploadBody(pieces()), { ...TYPE, ifAbsent: true })
    await assert.rejects(put, { code: 'precondition_failed' })
    assert.ok(letGo)
  })

  test('a download that breaks off goes on where it ended, unless the object has changed', async (t) => {
    const content = large(3 * MIB)
    const ranges: (string | undefined)[] = []
    let meanwhile = async () => {}
    const { port } = await serveInFront(t, server().port, async ({ request, response, pass }) => {
      const answer = await pass()
      if (request.method !== 'GET') return answerWith(response, answer)
      ranges.push(request.headers['x-ms-range'] as string | undefined)
      if (ranges.length !== 1) return answerWith(response, answer)
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      response.write(content.subarray(0, MIB), async () => {
        answer.destroy()
        await meanwhile()
        response.destroy()
      })
    })
    const store = open(t, port)
    await store.put(bucket, 'cut', bodyOf(content), TYPE)
    assert.ok((await contentOf(store, 'cut')).equals(content))
    assert.equal(ranges.length, 2)
    assert.match(`${ranges[1]}`, /^bytes=\d+-3145727$/)
    ranges.length = 0
    meanwhile = async () => void (await open(t).put(bucket, 'cut', bodyOf('other'), TYPE))
    await assert.rejects(contentOf(store, 'cut'), { code: 'precondition_failed' })
  })

  test('what is too large to be copied in one go is copied in blocks, all at once', async (t) => {
    // Azurite can't copy blocks from an address, so they are fetched for it.
    const { port } = await serveInFront(t, server().port, async ({ request, response, pass }) => {
      const { 'x-ms-copy-source': source, 'x-ms-source-range': range = '' } = request.headers
      if (source === undefined || !request.url?.includes('comp=block')) return answerWith(response, await pass())
      fetched.push(`${range}`)
      const block = await (await fetch(`${source}`, { headers: { 'x-ms-range': `${range}` } })).bytes()
      const id = new URL(request.url, 'http://x').searchParams.get('blockid') ?? ''
      const at = new AzureClient(settingsOf(server()), outbound)
      await at.blob({ bucket, key: 'copy of large' }).stageBlock(id, Buffer.from(block), block.length)
      at.close()
      response.writeHead(201).end()
    })
    const fetched: string[] = []
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const client = new AzureClient({ ...settingsOf(server()), port }, outbound)
    t.after(async () => {
      client.close()
      await outbound.close()
    })
    const store = open(t)
    const content = large(5 * MIB + 3)
    const original = await store.put(bucket, 'large', bodyOf(content), { contentType: 'image/png' })
    const from = { bucket, key: 'large' }
    const to = { bucket, key: 'copy of large' }
    const copied = await copyObject(client, from, to, { ifAbsent: true }, 2 * MIB)
    assert.deepEqual(fetched, ['bytes=0-2097151', 'bytes=2097152-4194303', 'bytes=4194304-5242882'])
    assert.ok((await contentOf(store, to.key)).equals(content))
    const { modifiedAt: _, ...facts } = await store.head(bucket, to.key)
    assert.deepEqual(facts, { ...facts, etag: original.etag, sha256: original.sha256, contentType: 'image/png' })
    assert.equal(copied.etag, original.etag)
    await assert.rejects(copyObject(client, from, to, { ifAbsent: true }, 2 * MIB), { code: 'precondition_failed' })
  })

  test('a stream of eight blocks takes the memory of two', async (t) => {
    const store = open(t)
    const chunk = pattern(65_536)
    let most = 0
    async function* pieces() {
      for (let sent = 0; sent < 8 * BLOCK_BYTES; sent += chunk.length) {
        most = Math.max(most, process.memoryUsage().arrayBuffers)
        yield chunk
      }
    }
    await store.put(bucket, 'small first', bodyOf(pattern(MIB)), TYPE)
    const start = process.memoryUsage().arrayBuffers
    const { sizeBytes } = await store.put(bucket, 'streamed', createUploadBody(pieces()), TYPE)
    assert.equal(sizeBytes, 8 * BLOCK_BYTES)
    assert.ok(most - start < 24 * MIB, `${(most - start) / MIB} MiB`)
  })

  test('links to a store with TLS are good for TLS only', async (t) => {
    const secure = openFor(t, settingsFor(443, { endpoint: undefined, useTls: true, accessKey: 'acme' }))
    const link = new URL(await secure.presign('bucket', 'a key', { expiresInSeconds: 60 }))
    assert.equal(link.origin + link.pathname, 'https://acme.blob.core.windows.net/bucket/a%20key')
    assert.equal(link.searchParams.get('spr'), 'https')
    assert.equal(
      new URL(await open(t).presign(bucket, 'x', { expiresInSeconds: 60 })).searchParams.get('spr'),
      'https,http'
    )
  })
}
