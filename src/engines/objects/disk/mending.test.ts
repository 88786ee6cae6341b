import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { FolderInUse } from '../../folder-lock.ts'
import type { OpenedStore } from '../open.ts'
import { bodyOf, pattern, readAll } from '../testing/bodies.ts'
import { contentPath, type Layout, layoutOf, temporaryPath } from './layout.ts'
import { openDiskStore } from './store.ts'

const LARGE = pattern(100_000)

describe('a disk store after a crash', () => {
  let folder: string
  let layout: Layout
  let opened: OpenedStore

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-mending-'))
    layout = layoutOf(folder)
    opened = await openDiskStore(folder, Date.now)
    await opened.store.createBucket('b')
    await opened.store.put('b', 'key', bodyOf(LARGE), { contentType: 'text/plain' })
  })
  afterEach(async () => {
    await opened.close()
    rmSync(folder, { recursive: true })
  })

  /** Brings the folder into a state that a crash can leave, then opens it again. */
  async function reopenAfter(damage: (index: DatabaseSync) => void): Promise<void> {
    await opened.close()
    const index = new DatabaseSync(layout.index)
    damage(index)
    index.close()
    opened = await openDiskStore(folder, Date.now)
  }

  const files = () =>
    readdirSync(join(folder, 'contents'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  const content = async () => readAll((await opened.store.get('b', 'key')).body)

  it('puts in its place what was committed but not yet renamed', async () => {
    const [file = ''] = files()
    await reopenAfter((index) => {
      renameSync(contentPath(layout, file), temporaryPath(layout, file))
      index.prepare('insert into arriving values (?)').run(file)
    })
    assert.deepEqual(files(), [file])
    assert.ok((await content()).equals(LARGE))
    assert.deepEqual(readdirSync(layout.temporary), [])
  })

  it('reads what was committed while it is still on the way', async () => {
    const [file = ''] = files()
    renameSync(contentPath(layout, file), temporaryPath(layout, file))
    assert.ok((await content()).equals(LARGE))
    renameSync(temporaryPath(layout, file), contentPath(layout, file))
  })

  it('removes what was never committed', async () => {
    await reopenAfter(() => writeFileSync(temporaryPath(layout, 'never'), 'half an upload'))
    assert.deepEqual(readdirSync(layout.temporary), [])
    assert.ok((await content()).equals(LARGE))
  })

  it('removes contents that were replaced but still lie there', async () => {
    await reopenAfter((index) => {
      writeFileSync(contentPath(layout, 'aa'), 'replaced')
      index.prepare('insert into leaving values (?)').run('aa')
    })
    assert.equal(files().length, 1)
    assert.ok(!files().includes('aa'))
  })

  it('forgets moves that have settled', async () => {
    const rows = () => {
      const index = new DatabaseSync(layout.index)
      const counts = ['arriving', 'leaving'].map(
        (table) => index.prepare(`select count(*) as n from ${table}`).get()?.n
      )
      index.close()
      return counts
    }
    await opened.store.put('b', 'key', bodyOf('small now'), { contentType: 'text/plain' })
    await eventually(() => assert.deepEqual([rows(), files()], [[0, 0], []]))
  })

  it('keeps replaced contents while they are held for a copy, and not for longer', async () => {
    const [file = ''] = files()
    writeFileSync(layout.hold, '')
    await opened.store.delete('b', ['key'])
    await reopenAfter(() => {})
    assert.deepEqual(files(), [file])
    const old = new Date(Date.now() - 120_000)
    utimesSync(layout.hold, old, old)
    await reopenAfter(() => {})
    assert.deepEqual(files(), [])
  })

  it('belongs to one process at a time', async () => {
    await assert.rejects(openDiskStore(folder, Date.now), FolderInUse)
  })

  it('takes a copy without taking room', async () => {
    await opened.store.copy({ bucket: 'b', key: 'key' }, { bucket: 'b', key: 'copy' })
    const names = files()
    assert.equal(names.length, 2)
    assert.equal(new Set(names.map((name) => statSync(contentPath(layout, name)).ino)).size, 1)
    await opened.store.delete('b', ['key'])
    await eventually(() => assert.equal(files().length, 1))
    assert.ok((await readAll((await opened.store.get('b', 'copy')).body)).equals(LARGE))
  })

  it('serves a reader to the end although the object is replaced meanwhile', async () => {
    const { body } = await opened.store.get('b', 'key')
    await opened.store.delete('b', ['key'])
    await eventually(() => assert.deepEqual(files(), []))
    assert.ok((await readAll(body)).equals(LARGE))
  })
})
