import assert from 'node:assert/strict'
import { mkdtempSync, rmdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { missingMount, mountSmallDisk, type SmallDisk } from '../../../../test/support/pipelines/small-disk.ts'
import type { CheckedStore } from '../index.ts'
import type { OpenedStore } from '../open.ts'
import { bodyOf, pattern } from '../testing/bodies.ts'
import { openDiskStore } from './store.ts'

const DISK_MIB = 12
const LARGE = pattern(3 * 1024 * 1024)

describe('a store on a disk that can’t be written', { skip: missingMount() ?? false }, () => {
  let folder: string
  let disk: SmallDisk
  let opened: OpenedStore

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-trouble-'))
    disk = mountSmallDisk(folder, DISK_MIB)
    opened = await openDiskStore(join(folder, 'store'), Date.now)
    await opened.store.createBucket('b')
  })
  afterEach(async () => {
    await opened.close()
    disk.unmount()
    rmdirSync(folder)
  })

  const put = (key: string) => opened.store.put('b', key, bodyOf(LARGE), { contentType: 'text/plain' })
  const check = () => (opened.store as CheckedStore).check()

  it('says that it is full, and as soon as there is room that it is well, though nobody writes', async () => {
    const others = join(folder, 'others')
    assert.throws(() => writeFileSync(others, Buffer.alloc(DISK_MIB * 1024 * 1024)), { code: 'ENOSPC' })
    await check()
    await assert.rejects(put('a'), { code: 'store_full' })
    await assert.rejects(check(), { code: 'store_full' })
    truncateSync(others, statSync(others).size - 512 * 1024)
    await assert.rejects(check(), { code: 'store_full' }, 'what has room for little has room for nobody')
    rmSync(others)
    await check()
    await put('a')
  })

  it('says that it is read-only, and as soon as it is not that it is well', async () => {
    disk.setReadOnly(true)
    await assert.rejects(check(), { code: 'unwritable' })
    await assert.rejects(put('a'), { code: 'unwritable', message: /objects.*DATA_DIR|DATA_DIR.*objects/ })
    disk.setReadOnly(false)
    await check()
    await put('a')
  })
})
