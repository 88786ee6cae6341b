import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Metadata } from '../../engines/metadata/index.ts'
import { WhileStill } from './review.ts'

function watched() {
  const changes = { schemas: 0, users: 0 }
  const metadata = { changesOf: (table: keyof typeof changes) => changes[table] } as unknown as Metadata
  return { changes, kept: new WhileStill<number>(metadata, ['schemas'], (chars) => chars) }
}

describe('what is kept while tables stand still', () => {
  it('is read once, until one of its tables changes', async () => {
    const { changes, kept } = watched()
    let reads = 0
    const get = () => kept.get('a', async () => ++reads)
    assert.deepEqual([await get(), await get()], [1, 1])
    changes.users++
    assert.equal(await get(), 1)
    changes.schemas++
    assert.deepEqual([await get(), await get()], [2, 2])
  })

  it('is not kept where a table changed while it was read', async () => {
    const { changes, kept } = watched()
    const old = await kept.get('a', async () => {
      changes.schemas++
      return 1
    })
    assert.deepEqual([old, await kept.get('a', async () => 2)], [1, 2])
  })

  it('is not kept where it is large, and not more of it than there is room for', async () => {
    const { kept } = watched()
    let reads = 0
    const get = (key: string, chars: number) =>
      kept.get(key, async () => {
        reads++
        return chars
      })
    await get('large', 70_000)
    await get('large', 70_000)
    assert.equal(reads, 2)
    for (let i = 0; i < 100; i++) await get(`${i}`, 60_000)
    reads = 0
    for (let i = 0; i < 100; i++) await get(`${i}`, 60_000)
    assert.ok(reads > 0)
  })

  it('is read anew each time from a database that others write to', async () => {
    const kept = new WhileStill<number>({} as Metadata, ['schemas'], () => 1)
    let reads = 0
    const get = () => kept.get('a', async () => ++reads)
    assert.deepEqual([await get(), await get()], [1, 2])
  })
})
