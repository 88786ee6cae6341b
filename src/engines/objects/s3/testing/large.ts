import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import type { Ceph } from '../../../../../test/support/servers/ceph.ts'
import { createOutbound } from '../../../outbound/index.ts'
import { createUploadBody, supportsMultipart } from '../../index.ts'
import { bodyOf, brokenBody, pattern, readAll } from '../../testing/bodies.ts'
import { openClient } from '../client.ts'
import { openFor, refused, settingsFor } from './open.ts'

const MIB = 1024 * 1024
const text = { contentType: 'text/plain' }

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Memory without garbage, whose amount depends on how busy the machine is. */
function liveBytes(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

export function largeTests(server: () => Ceph): void {
  test('a content of unknown size takes the memory of two parts, however long it is', async (t) => {
    const store = openFor(t, settingsFor(server()))
    await store.createBucket('large')
    const piece = pattern(MIB)
    const sent = createHash('sha256')
    // The memory of the hashing threads is allocated once, for all uploads.
    await store.put('large', 'key', bodyOf(piece), text)
    const before = liveBytes()
    let peak = 0
    async function* pieces() {
      for (let i = 0; i < 64; i++) {
        // A new chunk each time, as from a socket.
        const chunk = Buffer.from(piece)
        chunk.writeUInt32LE(i)
        sent.update(chunk)
        yield chunk
        if (i % 8 === 7) peak = Math.max(peak, liveBytes())
      }
    }
    const stored = await store.put('large', 'key', createUploadBody(pieces()), text)
    assert.equal(stored.sizeBytes, 64 * MIB)
    assert.ok(peak - before < 32 * MIB, `${Math.round((peak - before) / MIB)} MiB`)
    const received = createHash('sha256')
    const { body } = await store.get('large', 'key')
    for await (const chunk of body as AsyncIterable<Buffer>) received.update(chunk)
    assert.equal(received.digest('hex'), sent.digest('hex'))
    await store.delete('large', ['key'])
  })

  test('a large part passes through if its size is announced, and fails with what its sender failed with', async (t) => {
    const store = openFor(t, settingsFor(server()))
    assert.ok(supportsMultipart(store))
    await store.createBucket('parts')
    const upload = { bucket: 'parts', key: 'key', uploadId: await store.startUpload('parts', 'key', 'text/plain') }
    const content = pattern(9_000_000)
    await refused(store.putPart(upload, 1, bodyOf(content, { announced: false })), 'invalid_part', /announce its size/)
    await assert.rejects(store.putPart(upload, 1, brokenBody(9_000_000, true)), /the sender hung up/)
    const short = createUploadBody(Array.of(content) as never, { sizeBytes: content.length + 1 })
    await refused(store.putPart(upload, 1, short), 'invalid_part', /announced/)
    const part = await store.putPart(upload, 1, bodyOf(content))
    const stored = await store.completeUpload(upload, [part], text)
    assert.equal(stored.sizeBytes, content.length)
    assert.ok((await readAll((await store.get('parts', 'key')).body)).equals(content))
    const gone = { ...upload, uploadId: 'gone' }
    await refused(store.putPart(gone, 1, bodyOf(content)), 'no_such_upload')
  })

  test('a large upload that fails leaves no parts behind', async (t) => {
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const client = openClient(settingsFor(server()), outbound)
    t.after(async () => {
      client.close()
      await outbound.close()
    })
    const store = openFor(t, settingsFor(server()))
    await store.createBucket('leftovers')
    await assert.rejects(store.put('leftovers', 'key', brokenBody(20_000_000, false), text), /the sender hung up/)
    await store.put('leftovers', 'key', bodyOf('there'), text)
    const unwanted = store.put('leftovers', 'key', bodyOf(pattern(9_000_000)), { ...text, ifAbsent: true })
    await refused(unwanted, 'precondition_failed')
    const { Uploads = [] } = await client.sdk.send(new ListMultipartUploadsCommand({ Bucket: 'leftovers' }))
    assert.deepEqual(Uploads, [])
  })
}
