import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Batch, Source } from '../contract/source.ts'
import { Feed } from './feed.ts'

describe('a source that gathers', () => {
  it('is not asked while its run rests, so that all that comes meanwhile is one batch', async () => {
    const { feed, asked } = feedOf({ gathers: true, rows: 4 })
    await feed.ready
    feed.take(false)
    await feed.ready
    assert.equal(asked(), 2)
    feed.take(true)
    await settled()
    assert.equal(asked(), 2)
    feed.resume()
    await feed.ready
    assert.equal(asked(), 3)
  })

  it('is not behind because a few records were there at once', async () => {
    const few = feedOf({ gathers: true, rows: 4 })
    await few.feed.ready
    assert.equal(few.feed.isBehind, false)
    const many = feedOf({ gathers: true, rows: 4000 })
    await many.feed.ready
    assert.equal(many.feed.isBehind, true)
  })

  it('can be closed while its run rests', async () => {
    const { feed, ending } = feedOf({ gathers: true, rows: 4 })
    await feed.ready
    feed.take(true)
    ending.abort()
    await feed.close()
  })
})

describe('a source of which each page is a batch', () => {
  it('is read ahead and behind while there is more, however small its pages', async () => {
    const { feed, asked } = feedOf({ gathers: false, rows: 4 })
    await feed.ready
    feed.take(true)
    await feed.ready
    assert.equal(asked(), 2)
    assert.equal(feed.isBehind, true)
  })
})

function feedOf({ gathers, rows }: { gathers: boolean; rows: number }) {
  let count = 0
  const ending = new AbortController()
  const part = { sql: '', numbered: '', originsOf: async () => [], rows, columns: [] }
  const batch: Batch = { parts: [part], position: {}, release: async () => {} }
  const source: Source = {
    gathers,
    next: async () => {
      count += 1
      return batch
    },
    close: async () => {}
  }
  const feed = new Feed('in', source, ending.signal, { onFault: () => {}, onRead: () => {} })
  return { feed, asked: () => count, ending }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
