import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { within } from '../../../../test/support/yardstick.ts'
import type { ObjectStore } from '../index.ts'
import type { OpenedStore } from '../open.ts'
import { bodyOf } from '../testing/bodies.ts'
import { layoutOf } from './layout.ts'
import { successor } from './list.ts'
import { openDiskStore } from './store.ts'

const inUtf8 = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The expected listing, in the simplest way. */
function listed(keys: readonly string[], prefix: string, folders: boolean): string[] {
  const shown = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const slash = key.indexOf('/', prefix.length)
      return folders && slash !== -1 ? key.slice(0, slash + 1) : key
    })
  // The marker of a folder is an object within the folder, and the folder itself outside.
  return [...new Set(shown)].toSorted(inUtf8)
}

describe('the listing of a disk store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-list-'))
  let opened: OpenedStore
  let store: ObjectStore
  let buckets = 0

  before(async () => {
    opened = await openDiskStore(folder, Date.now)
    store = opened.store
  })
  after(async () => {
    await opened.close()
    rmSync(folder, { recursive: true })
  })

  async function walk(bucket: string, prefix: string, folders: boolean, limit: number): Promise<string[]> {
    const found: string[] = []
    let after: string | undefined
    do {
      const { entries, next } = await store.list(bucket, { prefix, folders, limit, after })
      assert.ok(entries.length === limit || next === undefined, 'a page that is not the last is full')
      found.push(...entries.map((entry) => ('folder' in entry ? entry.folder : entry.key)))
      after = next
    } while (after !== undefined)
    return found
  }

  it('equals a plain evaluation, whatever the keys, the prefix and the size of the page', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '/', '-', '0', 'ü', '\ud83d\ude80', '\uffe0'),
      maxLength: 6
    })
    const keys = fc.uniqueArray(
      text.filter((key) => key !== ''),
      { minLength: 1, maxLength: 60 }
    )
    await fc.assert(
      fc.asyncProperty(
        keys,
        text,
        fc.boolean(),
        fc.integer({ min: 1, max: 70 }),
        async (all, prefix, folders, limit) => {
          const bucket = `b${buckets++}`
          await store.createBucket(bucket)
          await Promise.all(all.map((key) => store.put(bucket, key, bodyOf(''), { contentType: 'text/plain' })))
          assert.deepEqual(await walk(bucket, prefix, folders, limit), listed(all, prefix, folders))
        }
      ),
      { numRuns: 150 }
    )
  })

  it('leaves a folder of 200,000 keys behind without walking through it', async () => {
    const index = new DatabaseSync(layoutOf(folder).index)
    index.exec(`
      insert into buckets values ('large');
      with recursive number(i) as (select 0 union all select i + 1 from number where i < 199999)
      insert into objects select 'large', printf('b/%06d', i), 1, '2026-01-01T00:00:00.000Z', '', '', 'text/plain', null, 0 from number;
      insert into objects select 'large', value, 1, '2026-01-01T00:00:00.000Z', '', '', 'text/plain', null, 0
        from json_each('["a","c/1","d"]')`)
    index.close()
    await opened.close()
    opened = await openDiskStore(folder, Date.now)
    store = opened.store
    // Walking through the folder would take 100 ms and more each time.
    await within(400, async () => {
      for (let i = 0; i < 20; i++) assert.deepEqual(await walk('large', '', true, 2), ['a', 'b/', 'c/', 'd'])
    })
  })
})

describe('the successor of a prefix', () => {
  const text = fc.string({ unit: ANY_CHARACTER, maxLength: 4 }).map((value) => value.toWellFormed())

  it('is behind everything with the prefix, and before everything else that is behind', () => {
    fc.assert(
      fc.property(text, text, (prefix, other) => {
        const next = successor(prefix)
        const isBehind = next !== undefined && inUtf8(other, next) >= 0
        const belongs = other.startsWith(prefix)
        assert.equal(isBehind, !belongs && inUtf8(other, prefix) > 0)
      }),
      { numRuns: 5000 }
    )
  })

  it('carries over where a character has none', () => {
    assert.equal(successor('a'), 'b')
    assert.equal(successor('a\u{10ffff}'), 'b')
    assert.equal(successor('\ud7ff'), '\ue000')
    assert.equal(successor('\u{10ffff}'), undefined)
    assert.equal(successor(''), undefined)
  })
})
