import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { bodyOf, readAll } from '../testing/bodies.ts'
import { refused } from '../testing/refused.ts'
import { backUpStore } from './backup.ts'
import { inspectStore, readWholeStore } from './inspect.ts'
import type { UnknownContents } from './known-contents.ts'
import { contentPath, type Layout, layoutOf } from './layout.ts'
import { openDiskStore } from './store.ts'

const TYPE = { contentType: 'text/plain' }
const LARGE = Buffer.alloc(50_000, 'x')

describe('a disk store that has lost its index', () => {
  let folder: string
  let layout: Layout

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-lost-'))
    layout = layoutOf(folder)
    await use(async (store) => {
      await store.createBucket('b')
      await store.put('b', 'small', bodyOf('small'), TYPE)
    })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function use(work: (store: Awaited<ReturnType<typeof openDiskStore>>['store']) => Promise<unknown>) {
    const { store, close } = await openDiskStore(folder, Date.now)
    await work(store).finally(close)
  }
  const putLarge = () => use((store) => store.put('b', 'large', bodyOf(LARGE), TYPE))
  const change = (statements: string) => {
    const index = new DatabaseSync(layout.index)
    index.exec(statements)
    index.close()
  }
  const unknownOf = async () => {
    let deep: UnknownContents | undefined
    await readWholeStore(folder, { damaged: assert.fail, read() {}, unknown: (found) => (deep = found) })
    const { unknown } = await inspectStore(folder, 1000)
    assert.deepEqual(deep, unknown)
    return unknown
  }

  it('is not opened, and nothing is made in its place, until it is put back', async () => {
    await putLarge()
    renameSync(layout.index, join(folder, 'away'))
    for (let tries = 0; tries < 2; tries++) await refused(openDiskStore(folder, Date.now), 'index_damaged')
    await refused(inspectStore(folder, 10), 'index_damaged')
    const target = join(folder, 'copy')
    const progress = { expect() {}, advance() {}, finish() {} }
    await refused(backUpStore({ folder, target, buckets: [], progress, sha256Of: async () => '' }), 'index_damaged')
    assert.ok(!readdirSync(folder).includes('index.db'))
    renameSync(join(folder, 'away'), layout.index)
    await use(async (store) => assert.ok((await readAll((await store.get('b', 'large')).body)).equals(LARGE)))
  })

  it('is known to have had one, also where all objects were small, or the file is empty', async () => {
    renameSync(layout.index, join(folder, 'away'))
    await refused(openDiskStore(folder, Date.now), 'index_damaged')
    writeFileSync(layout.index, '')
    await refused(openDiskStore(folder, Date.now), 'index_damaged')
  })

  it('is one too where an empty index lies beside contents', async () => {
    await putLarge()
    change('delete from objects; delete from block_sums')
    await refused(openDiskStore(folder, Date.now), 'index_damaged')
  })

  it('is refused where it is no database, or a damaged one', async () => {
    for (const suffix of ['-wal', '-shm']) rmSync(layout.index + suffix, { force: true })
    truncateSync(layout.index, 5000)
    await refused(openDiskStore(folder, Date.now), 'index_damaged')
    writeFileSync(layout.index, 'no database at all, but quite some text '.repeat(200))
    await refused(openDiskStore(folder, Date.now), 'index_damaged')
  })

  it('opens where contents have only not been removed yet', async () => {
    await putLarge()
    const [{ file = '' } = {}] = [rowOf('large')]
    change(`delete from objects; delete from block_sums; insert into leaving values ('${file}')`)
    writeFileSync(layout.hold, 'a copy is made')
    await use(async () => {})
    assert.deepEqual(await unknownOf(), { count: 0, sizeBytes: 0 })
  })

  it('tells contents that no object has, and only those', async () => {
    await putLarge()
    assert.deepEqual(await unknownOf(), { count: 0, sizeBytes: 0 })
    change('delete from block_sums') // the state that an older version leaves
    assert.deepEqual(await unknownOf(), { count: 0, sizeBytes: 0 })
    for (const name of ['0'.repeat(32), 'f'.repeat(32)]) writeFileSync(contentPath(layout, name), 'orphan')
    writeFileSync(join(layout.contents, '00', 'readme.txt'), 'not one of ours')
    assert.deepEqual(await unknownOf(), { count: 2, sizeBytes: 12 })
  })

  function rowOf(key: string): { file: string } {
    const index = new DatabaseSync(layout.index, { readOnly: true })
    const row = index.prepare('select file from objects where key = ?').get(key)
    index.close()
    return row as unknown as { file: string }
  }
})
