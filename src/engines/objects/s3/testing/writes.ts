import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Ceph } from '../../../../../test/support/servers/ceph.ts'
import { createOutbound } from '../../../outbound/index.ts'
import { MIN_PART_BYTES } from '../../index.ts'
import { bodyOf, pattern, readAll } from '../../testing/bodies.ts'
import { openClient } from '../client.ts'
import { copyObject } from '../copy.ts'
import { openFor, refused, settingsFor } from './open.ts'

const text = { contentType: 'text/plain' }

export function writeTests(server: () => Ceph): void {
  test('the SHA-256 is kept with what is put in one request, and by a copy', async (t) => {
    const store = openFor(t, settingsFor(server()))
    await store.createBucket('digests')
    const sha256 = createHash('sha256').update('content').digest('hex')
    const stored = await store.put('digests', 'key', bodyOf('content'), text)
    const copied = await store.copy({ bucket: 'digests', key: 'key' }, { bucket: 'digests', key: 'copy' })
    const { object, body } = await store.get('digests', 'copy')
    await readAll(body)
    for (const one of [stored, copied, object, await store.head('digests', 'key')]) assert.equal(one.sha256, sha256)
  })

  test('an object that was put in parts can be the condition of the next write', async (t) => {
    const store = openFor(t, settingsFor(server()))
    await store.createBucket('conditions')
    const large = await store.put('conditions', 'key', bodyOf(pattern(9_000_000)), text)
    assert.match(large.etag, /^"[0-9a-f]{32}-2"$/)
    const again = await store.put('conditions', 'key', bodyOf(pattern(9_000_001)), { ...text, ifMatch: large.etag })
    await refused(
      store.put('conditions', 'key', bodyOf(pattern(9_000_002)), { ...text, ifMatch: large.etag }),
      'precondition_failed'
    )
    const small = await store.put('conditions', 'key', bodyOf('small'), { ...text, ifMatch: again.etag })
    assert.equal(small.sizeBytes, 5)
    const from = { bucket: 'conditions', key: 'key' }
    await refused(store.copy(from, from, { ifAbsent: true }), 'precondition_failed')
    assert.equal((await store.copy(from, from)).etag, small.etag)
  })

  test('what is too large to be copied at once is copied in parts', async (t) => {
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const client = { ...openClient(settingsFor(server()), outbound), isAmazon: true }
    t.after(async () => {
      client.close()
      await outbound.close()
    })
    const store = openFor(t, settingsFor(server()))
    await store.createBucket('copies')
    const content = pattern(3 * MIN_PART_BYTES - 7)
    const from = { bucket: 'copies', key: 'original' }
    await store.put(from.bucket, from.key, bodyOf(content), { contentType: 'image/png' })
    const limits = { wholeBytes: MIN_PART_BYTES, partBytes: MIN_PART_BYTES }
    const to = { bucket: 'copies', key: 'copy' }
    const copied = await copyObject(client, from, to, {}, limits)
    assert.match(copied.etag, /-3"$/)
    const { object, body } = await store.get(to.bucket, to.key)
    assert.deepEqual([object.etag, object.contentType, object.sizeBytes], [copied.etag, 'image/png', content.length])
    assert.ok((await readAll(body)).equals(content))
    await refused(copyObject(client, from, to, { ifAbsent: true }, limits), 'precondition_failed')
    await refused(copyObject(client, from, { bucket: 'nowhere-at-all', key: 'x' }, {}, limits), 'no_such_bucket')
  })

  test('a thousand objects are deleted at once, also with keys that XML has to escape', async (t) => {
    const store = openFor(t, settingsFor(server()))
    await store.createBucket('many')
    const odd = ['<&>"\'', ' blank ', '\u2028', '😀', 'a+b%20c']
    for (const key of odd) await store.put('many', key, bodyOf('x'), text)
    const missing = Array.from({ length: 1000 - odd.length }, (_, i) => `missing/${i}`)
    assert.deepEqual(await store.delete('many', [...odd, ...missing]), [])
    assert.deepEqual((await store.list('many', { prefix: '', folders: false, limit: 10 })).entries, [])
    await store.deleteBucket('many')
  })
}
