import assert from 'node:assert/strict'
import { createHash, hash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { flipByte } from '../../../../test/support/flip.ts'
import type { OpenedStore } from '../open.ts'
import { bodyOf, readAll } from '../testing/bodies.ts'
import { refused } from '../testing/refused.ts'
import { backUpStore, ContentFault } from './backup.ts'
import { INLINE_BYTES } from './database.ts'
import { isHeld } from './hold.ts'
import { contentPath, type Layout, layoutOf, temporaryPath } from './layout.ts'
import { restoreStore } from './restore.ts'
import { openDiskStore } from './store.ts'

const KEYS = 120
const ROUNDS = 5
const SMALL = INLINE_BYTES / 2
const LARGE = INLINE_BYTES * 2
const TYPE = { contentType: 'application/octet-stream' }
const progress = { expect() {}, advance() {}, finish() {} }
const sha256Of = async (path: string) => hash('sha256', readFileSync(path))

describe('the backup of a disk store', () => {
  let folder: string
  let layout: Layout
  let opened: OpenedStore

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-store-backup-'))
    layout = layoutOf(join(folder, 'store'))
    opened = await openDiskStore(layout.folder, Date.now)
    await opened.store.createBucket('b')
  })
  afterEach(async () => {
    await opened.close()
    rmSync(folder, { recursive: true })
  })

  const backUp = (target: string, buckets: string[] = []) =>
    backUpStore({ folder: layout.folder, target, buckets, progress, sha256Of })
  const put = (key: string, content: string | Buffer) => opened.store.put('b', key, bodyOf(content), TYPE)
  const files = (at: string) =>
    readdirSync(join(at, 'contents'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)

  /** Replaces and deletes without a pause until told to stop; answers how many changes there were. */
  function keepChanging(): () => Promise<number> {
    let changes = 0
    let stopped = false
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let n = writer; !stopped; n += 4, changes++) {
        const key = `moving-${n % KEYS}`
        if (n % 5 === 0) await opened.store.delete('b', [key])
        else await put(key, randomBytes(n % 3 === 0 ? SMALL : LARGE))
      }
    })
    return async () => {
      stopped = true
      await Promise.all(writers)
      return changes
    }
  }

  /** Opens the copy as a store, and reads everything that it lists. */
  async function readCopy(target: string): Promise<Map<string, string>> {
    const copy = await openDiskStore(target, Date.now)
    const found = new Map<string, string>()
    try {
      const { entries } = await copy.store.list('b', { prefix: '', folders: false, limit: 1000 })
      for (const entry of entries) {
        const { key } = entry as { key: string }
        const { object, body } = await copy.store.get('b', key)
        const bytes = await readAll(body)
        assert.equal(bytes.length, object.sizeBytes)
        assert.equal(createHash('sha256').update(bytes).digest('hex'), object.sha256, key)
        found.set(key, object.sha256 as string)
      }
    } finally {
      await copy.close()
    }
    return found
  }

  it('is whole while objects are replaced and deleted all the time, and holds what was there before', async () => {
    await Promise.all(Array.from({ length: KEYS }, (_, n) => put(`moving-${n}`, randomBytes(LARGE))))
    const stop = keepChanging()
    let total = 0
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const { sha256 } = await put(`steady-${round}`, randomBytes(round % 2 === 0 ? SMALL : LARGE))
        const target = join(folder, `copy-${round}`)
        await backUp(target)
        const found = await readCopy(target)
        assert.equal(found.get(`steady-${round}`), sha256)
        assert.ok(found.has('steady-0'))
        total += found.size
      }
    } finally {
      const changes = await stop()
      assert.ok(changes > ROUNDS * 20, `only ${changes} changes`)
    }
    assert.ok(total > ROUNDS * 10)
    assert.ok(!existsSync(layout.hold))
  })

  it('takes what is referred to and nothing else', async () => {
    await put('large', randomBytes(LARGE))
    await put('gone', randomBytes(LARGE))
    await opened.store.delete('b', ['gone'])
    const target = join(folder, 'copy')
    await backUp(target)
    assert.equal(files(target).length, 1)
    assert.deepEqual(readdirSync(target).sort(), ['contents', 'index.db', 'temporary', 'uploads'])
    const [file = ''] = files(target)
    assert.notEqual(statSync(contentPath(layoutOf(target), file)).ino, statSync(contentPath(layout, file)).ino)
  })

  it('holds the store from before it looks until it is done', async () => {
    await put('large', randomBytes(LARGE))
    const held: boolean[] = []
    const look = () => held.push(isHeld(layout))
    const watched = { expect: look, advance() {}, finish: look }
    await backUpStore({ folder: layout.folder, target: join(folder, 'copy'), buckets: [], progress: watched, sha256Of })
    assert.deepEqual(held, [true, true])
    assert.ok(!isHeld(layout))
  })

  it('has every bucket that it is told of', async () => {
    const target = join(folder, 'copy')
    await backUp(target, ['b', 'deleted-meanwhile'])
    const index = new DatabaseSync(join(target, 'index.db'), { readOnly: true })
    const names = index.prepare('select name from buckets').all()
    index.close()
    assert.deepEqual(
      names.map(({ name }) => name),
      ['b', 'deleted-meanwhile']
    )
  })

  it('finds a content that still has its temporary name', async () => {
    await put('large', randomBytes(LARGE))
    const [file = ''] = files(layout.folder)
    renameSync(contentPath(layout, file), temporaryPath(layout, file))
    await backUp(join(folder, 'copy'))
    renameSync(temporaryPath(layout, file), contentPath(layout, file))
    assert.deepEqual(files(join(folder, 'copy')), [file])
  })

  it('names contents that are damaged, copies them as they are and marked, and what it copied can be restored', async () => {
    await put('large', randomBytes(LARGE))
    await put('small', 'a small content')
    await put('sound', 'another one')
    const [file = ''] = files(layout.folder)
    flipByte(contentPath(layout, file), 10_000)
    const index = new DatabaseSync(layout.index)
    index.exec(
      `update inlined set content = cast('A small content' as blob) where content = cast('a small content' as blob)`
    )
    index.close()
    const target = join(folder, 'copy')
    assert.deepEqual(await backUp(target), [
      'the content of the object "b/large" is not as it was written',
      'the content of the object "b/small" is not as it was written'
    ])
    const restored = join(folder, 'restored')
    mkdirSync(restored)
    copyFileSync(join(target, 'index.db'), join(restored, 'index.db'))
    await restoreStore(target, restored, { progress, sha256Of })
    const store = await openDiskStore(restored, Date.now)
    try {
      for (const key of ['large', 'small']) await refused(store.store.get('b', key), 'damaged')
      assert.equal((await readAll((await store.store.get('b', 'sound')).body)).toString(), 'another one')
    } finally {
      await store.close()
    }
  })

  for (const [what, spoil, message] of [
    ['missing', (path: string) => rmSync(path), /"b\/lärge\\n" is missing/],
    ['cut', (path: string) => truncateSync(path, 100), /"b\/lärge\\n" is not as it was written/]
  ] as const) {
    it(`fails on a content that is ${what}, by the name of the object, and lets the hold go`, async () => {
      await put('lärge\n', randomBytes(LARGE))
      await Promise.all(Array.from({ length: KEYS }, (_, n) => put(`other-${n}`, randomBytes(LARGE))))
      const row = new DatabaseSync(layout.index, { readOnly: true })
      const { file } = row.prepare(`select file from objects where key like 'l%'`).get() as { file: string }
      row.close()
      spoil(contentPath(layout, file))
      await assert.rejects(backUp(join(folder, 'copy')), (error) => {
        assert.ok(error instanceof ContentFault)
        assert.match(error.message, message)
        return true
      })
      assert.ok(!existsSync(layout.hold))
    })
  }
})
