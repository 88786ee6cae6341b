import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { flipByte } from '../../../../test/support/flip.ts'
import { areSound, BLOCK_BYTES, BlockSummer } from '../block-sums.ts'
import type { ScrubbedStore } from '../index.ts'
import type { OpenedStore } from '../open.ts'
import { bodyOf, readAll } from '../testing/bodies.ts'
import { refused } from '../testing/refused.ts'
import { damagedIn } from './marks.ts'
import { openDiskStore } from './store.ts'

const WEEK_MS = 7 * 24 * 3600_000
const TYPE = { contentType: 'application/octet-stream' }
const SIZE = BLOCK_BYTES * 3 + 1234

describe('an object that the disk has changed', () => {
  let folder: string
  let opened: OpenedStore
  let nowMs: number

  beforeEach(async () => {
    nowMs = 0
    folder = mkdtempSync(join(tmpdir(), 'millrace-store-damage-'))
    opened = await openDiskStore(folder, () => nowMs)
    await opened.store.createBucket('b')
  })
  afterEach(async () => {
    await opened.close()
    rmSync(folder, { recursive: true })
  })

  const put = (key: string, content: string | Buffer) => opened.store.put('b', key, bodyOf(content), TYPE)
  const read = async (key: string, range?: { start: number; end: number }) =>
    readAll((await opened.store.get('b', key, { range })).body)
  const scrub = (maxBytes: number) => (opened.store as ScrubbedStore).scrub(maxBytes)
  const contents = () => {
    const all = readdirSync(join(folder, 'contents'), { recursive: true, withFileTypes: true })
    return all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  }
  const change = (sql: string) => {
    const index = new DatabaseSync(join(folder, 'index.db'))
    index.exec(sql)
    index.close()
  }
  const marked = () => {
    const index = new DatabaseSync(join(folder, 'index.db'), { readOnly: true })
    const found = damagedIn(index, 10).map(({ key, what }) => `${key} ${what}`)
    index.close()
    return found
  }

  it('is never read where it was changed, and then refused at once, until it is replaced or deleted', async () => {
    const content = randomBytes(SIZE)
    const { etag } = await put('large', content)
    const [file = ''] = contents()
    flipByte(file, BLOCK_BYTES + 5)
    assert.deepEqual(await read('large', { start: 10, end: 99 }), content.subarray(10, 100), 'another block')
    assert.deepEqual(
      await read('large', { start: BLOCK_BYTES * 2 + 7, end: SIZE - 1 }),
      content.subarray(BLOCK_BYTES * 2 + 7)
    )
    await refused(read('large', { start: BLOCK_BYTES + 100, end: BLOCK_BYTES + 101 }), 'damaged')
    await opened.store.createBucket('b') // waits until the mark is written
    await assert.rejects(opened.store.get('b', 'large'), /is not as it was written; upload it again or restore it/)
    await refused(opened.store.copy({ bucket: 'b', key: 'large' }, { bucket: 'b', key: 'copy' }), 'damaged')
    assert.equal((await opened.store.head('b', 'large')).etag, etag)
    assert.deepEqual(marked(), ['large is not as it was written'])
    await put('large', content)
    assert.deepEqual([marked(), await read('large')], [[], content])
    const [again = ''] = contents().filter((path) => path !== file)
    flipByte(again, SIZE - 1)
    await refused(read('large'), 'damaged')
    await opened.store.delete('b', ['large'])
    assert.deepEqual(marked(), [])
  })

  it('is refused before the first byte where it is damaged at the beginning of what is asked for, or cut short', async () => {
    const content = randomBytes(SIZE)
    await put('begin', content)
    const [file = ''] = contents()
    flipByte(file, BLOCK_BYTES + 5)
    const { body } = await opened.store.get('b', 'begin')
    await assert.rejects(readAll(body), /is not as it was written/, 'further on it is found on the way')
    await put('begin', content)
    const again = contents().find((path) => path !== file) as string
    flipByte(again, 5)
    await refused(opened.store.get('b', 'begin'), 'damaged')
    await put('short', content)
    const short = contents().find((path) => path !== file && path !== again) as string
    truncateSync(short, SIZE - 1)
    await refused(opened.store.get('b', 'short', { range: { start: 0, end: 9 } }), 'damaged')
    await opened.store.createBucket('b') // waits until the marks are written
    assert.equal(marked().length, 2)
  })

  it('counts as damaged where its content is missing, and no longer when that is put back', async () => {
    const content = randomBytes(SIZE)
    await put('gone', content)
    const [file = ''] = contents()
    renameSync(file, join(folder, 'away'))
    await refused(opened.store.get('b', 'gone'), 'damaged')
    await refused(opened.store.copy({ bucket: 'b', key: 'gone' }, { bucket: 'b', key: 'copy' }), 'damaged')
    await opened.store.createBucket('b') // waits until the mark is written
    assert.deepEqual(marked(), ['gone is missing'])
    await assert.rejects(opened.store.get('b', 'gone'), /is missing; upload it again or restore it/)
    renameSync(join(folder, 'away'), file)
    assert.deepEqual(await read('gone'), content)
    await opened.store.createBucket('b')
    assert.deepEqual(marked(), [])
  })

  it('is known by a copy of it too', async () => {
    await put('large', randomBytes(SIZE))
    await opened.store.copy({ bucket: 'b', key: 'large' }, { bucket: 'b', key: 'copy' })
    flipByte(contents()[0] as string, 7) // both objects have the same file
    await refused(read('copy'), 'damaged')
  })

  it('is refused before its first byte where it is small', async () => {
    await put('small', 'a small content')
    change(`update inlined set content = cast('A small content' as blob)`)
    await opened.store.createBucket('b') // makes the store read the index again
    await refused(opened.store.get('b', 'small'), 'damaged')
    await opened.store.createBucket('b')
    assert.deepEqual(marked(), ['small is not as it was written'])
  })

  it('is found by a scrub, bit by bit and once a week, which also sums those of an older version', async () => {
    await put('a', randomBytes(SIZE))
    await put('b', 'small')
    await put('c', randomBytes(SIZE))
    const [file = ''] = contents()
    change('delete from block_sums')
    await opened.store.createBucket('b')
    flipByte(file, 100)
    assert.deepEqual(await scrub(SIZE), { sizeBytes: SIZE, isDone: false })
    assert.equal((await scrub(SIZE)).isDone, false)
    assert.equal((await scrub(SIZE)).isDone, true)
    assert.equal(marked().length, 1)
    nowMs = WEEK_MS - 1
    assert.deepEqual(await scrub(SIZE), { sizeBytes: 0, isDone: true })
    const other = marked()[0]?.startsWith('a') ? 'c' : 'a'
    flipByte(contents().find((path) => path !== file) as string, 100)
    await refused(read(other), 'damaged')
    await opened.store.createBucket('b') // waits until the mark is written
    // Repaired by hand, as from a backup.
    for (const path of contents()) flipByte(path, 100)
    nowMs = WEEK_MS
    while (!(await scrub(SIZE)).isDone);
    assert.deepEqual(marked(), [])
    assert.equal((await read('a')).length, SIZE)
  })
})

it('sums of blocks know every change of a byte, however the content came', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: BLOCK_BYTES * 2 + 9 }),
      fc.array(fc.integer({ min: 1, max: 50_000 })),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (size, pieces, where, changeOf) => {
        const content = randomBytes(size)
        const summer = new BlockSummer()
        let at = 0
        for (const length of [...pieces, size]) {
          summer.add(content.subarray(at, at + length))
          at = Math.min(size, at + length)
        }
        const sums = summer.finish()
        assert.ok(areSound(sums, 0, content))
        const place = where % size
        content[place] = (content[place] as number) ^ changeOf
        assert.ok(!areSound(sums, 0, content))
      }
    ),
    { numRuns: 100 }
  )
})
