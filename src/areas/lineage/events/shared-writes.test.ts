import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SharedWrites } from './shared-writes.ts'

const LIMITS = { maxWaiting: 10, maxWriting: 1 }

describe('writes that come at the same time', () => {
  it('are written together, and in their order', async () => {
    const written: number[][] = []
    const writes = new SharedWrites<number>(async (items) => void written.push([...items]), LIMITS)
    await Promise.all([writes.write([1]), writes.write([2, 3]), writes.write([4])])
    assert.deepEqual(written, [[1], [2, 3, 4]])
  })

  it('do not fail because of another', async () => {
    const written: number[] = []
    const writes = new SharedWrites<number>(async (items) => {
      if (items.includes(13)) throw new Error('Unlucky')
      written.push(...items)
    }, LIMITS)
    const outcomes = await Promise.allSettled([[0], [1], [13], [2]].map((items) => writes.write(items)))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled']
    )
    assert.deepEqual(written, [0, 1, 2])
    await writes.write([3])
    assert.equal(written.at(-1), 3)
  })

  it('are turned away where too many wait', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const writes = new SharedWrites<number>(() => promise, LIMITS)
    const first = writes.write(Array(10).fill(0))
    await assert.rejects(writes.write([1]), /Retry-After/)
    resolve()
    await first
    await writes.write([1])
  })

  it('go on beside those under way where many wait, as far as they may', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const sizes: number[] = []
    const writes = new SharedWrites<number>(
      (items) => {
        sizes.push(items.length)
        return promise
      },
      { maxWaiting: 100, maxWriting: 2 }
    )
    const all = Array.from({ length: 40 }, (_, n) => writes.write([n]))
    assert.deepEqual(sizes, [1, 8])
    resolve()
    await Promise.all(all)
    assert.deepEqual(sizes, [1, 8, 31])
  })
})
