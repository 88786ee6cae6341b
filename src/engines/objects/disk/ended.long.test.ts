import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { eventually } from '../../../../test/support/eventually.ts'
import { type CheckedStore, createUploadBody } from '../index.ts'
import type { OpenedStore } from '../open.ts'
import { bodyOf, pattern, readAll } from '../testing/bodies.ts'
import { isStoreError, refused } from '../testing/refused.ts'
import { layoutOf } from './layout.ts'
import { openDiskStore } from './store.ts'

const TYPE = { contentType: 'text/plain' }
const LARGE = pattern(100_000)
const HUGE = pattern(4_000_000)
const KILLS = 15

describe('a disk store whose thread ends', () => {
  let folder: string
  let opened: OpenedStore
  let workers: Worker[]
  const see = (message: unknown) => void workers.push((message as { worker: Worker }).worker)

  before(async () => {
    // The hashing threads are started once, by the first large content: this test is not about them.
    const body = bodyOf(HUGE)
    for await (const _ of body.passingBatches());
  })
  beforeEach(async () => {
    workers = []
    diagnostics.subscribe('worker_threads', see)
    folder = mkdtempSync(join(tmpdir(), 'millrace-ended-'))
    opened = await openDiskStore(folder, Date.now)
    await opened.store.createBucket('b')
  })
  afterEach(async () => {
    await opened.close()
    diagnostics.unsubscribe('worker_threads', see)
    rmSync(folder, { recursive: true })
  })

  const put = (key: string, content: string | Buffer) => opened.store.put('b', key, bodyOf(content), TYPE)
  const content = async (key: string) => readAll((await opened.store.get('b', key)).body)
  const kill = () => (workers.at(-1) as Worker).terminate()
  const temporary = () => readdirSync(layoutOf(folder).temporary)

  it('opens another, and keeps what was acknowledged', async () => {
    await put('before', LARGE)
    await kill()
    assert.ok((await content('before')).equals(LARGE), 'reading goes on')
    await put('after', LARGE)
    assert.equal(workers.length, 2)
    await opened.store.delete('b', ['before'])
    assert.ok((await content('after')).equals(LARGE))
    await kill()
    await (opened.store as CheckedStore).check()
    assert.equal(workers.length, 3, 'asking how it is opens it too')
  })

  it('leaves what is being uploaded meanwhile alone', async () => {
    const rest = Promise.withResolvers<void>()
    async function* slowly() {
      yield HUGE.subarray(0, 3_900_000)
      await rest.promise
      yield HUGE.subarray(3_900_000)
    }
    const slow = opened.store.put('b', 'slow', createUploadBody(slowly(), { sizeBytes: HUGE.length }), TYPE)
    await eventually(() => temporary().length === 1)
    await kill()
    await put('other', LARGE)
    rest.resolve()
    await slow
    assert.ok((await content('slow')).equals(HUGE))
  })

  it(`has all or nothing of what was under way at ${KILLS} ends, and no file too many`, async () => {
    const acknowledged = new Set<string>()
    for (let round = 0; round < KILLS; round++) {
      const keys = Array.from({ length: 6 }, (_, i) => `${round}-${i}`)
      const puts = keys.map((key, i) => put(key, i % 2 === 0 ? LARGE : 'small').then(() => acknowledged.add(key)))
      // At a different moment each time: before any put, or after one of them was acknowledged.
      if (round % 3 > 0) await puts[round % 3]
      await kill()
      for (const end of await Promise.allSettled(puts)) {
        if (end.status === 'rejected') isStoreError(end.reason, 'store_failed')
      }
      await put('last', 'of the round')
    }
    const { entries } = await opened.store.list('b', { prefix: '', folders: false, limit: 1000 })
    const there = entries.flatMap((entry) => ('key' in entry ? [entry.key] : []))
    for (const key of acknowledged) assert.ok(there.includes(key), `${key} is lost`)
    for (const key of there.filter((one) => one !== 'last')) {
      const expected = Number(key.split('-')[1]) % 2 === 0 ? LARGE : Buffer.from('small')
      assert.ok((await content(key)).equals(expected), key)
    }
    await eventually(() => assert.deepEqual(temporary(), []))
    const files = readdirSync(layoutOf(folder).contents, { recursive: true, withFileTypes: true })
    const large = there.filter((key) => Number(key.split('-')[1]) % 2 === 0)
    await eventually(() => assert.equal(files.filter((one) => one.isFile()).length, large.length))
  })

  it('says what is wrong while no other can be opened, and works again when that is over', async () => {
    await put('before', LARGE)
    const { index } = layoutOf(folder)
    renameSync(index, `${index}-away`)
    await kill()
    await refused(put('lost', 'x'), 'index_damaged')
    await refused((opened.store as CheckedStore).check(), 'index_damaged')
    renameSync(`${index}-away`, index)
    await eventually(() => (opened.store as CheckedStore).check())
    await put('after', 'x')
    assert.ok((await content('before')).equals(LARGE))
  })
})
