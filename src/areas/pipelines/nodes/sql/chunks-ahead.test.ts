// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import type { SqlChunk } from '../../../../engines/sql/index.ts'
import { ChunksAhead } from './chunks-ahead.ts'

const MAX_BYTES = 100

const textOf = (bytes: number): SqlChunk => ({
  columns: [],
  values: [],
  rows: 1,
  text: Buffer.alloc(bytes),
  position: undefined
})
const VALUES: SqlChunk = { columns: [], values: [], rows: 1, position: undefined }

/** A read that gives these, and then ends or fails. */
function readOf(chunks: readonly SqlChunk[], error?: Error) {
  const seen = { given: 0, isClosed: false }
  async function* read(): AsyncGenerator<SqlChunk> {
    try {
      for (const chunk of chunks) {
        await turn()
        seen.given += 1
        yield chunk
      }
      if (error !== undefined) throw error
    } finally {
      seen.isClosed = true
    }
  }
  return { seen, ahead: new ChunksAhead(read(), MAX_BYTES) }
}

/** As much as is read while nobody asks: all that takes turns is done after some of them. */
async function turns(): Promise<void> {
  for (let i = 0; i < 200; i++) await turn()
}

async function takeAll(ahead: ChunksAhead, afterEach: () => Promise<void> = async () => {}): Promise<SqlChunk[]> {
  const taken: SqlChunk[] = []
  for (;;) {
    const { value, done } = await ahead.next()
    if (done === true) return taken
    taken.push(value)
    await afterEach()
  }
}

describe('chunks that are read ahead', () => {
  it('come all, and in their order, however fast they are taken', async () => {
    const chunk = fc.oneof(fc.integer({ min: 1, max: 250 }).map(textOf), fc.constant({ ...VALUES }))
    const property = fc.asyncProperty(fc.array(chunk, { maxLength: 20 }), fc.boolean(), async (chunks, isSlow) => {
      const { seen, ahead } = readOf(chunks)
      const taken = await takeAll(ahead, async () => void (isSlow && (await turn())))
      assert.equal(taken.length, chunks.length)
      for (const [i, one] of taken.entries()) assert.equal(one, chunks[i])
      assert.equal(seen.isClosed, true)
      assert.equal((await ahead.next()).done, true)
    })
    await fc.assert(property, { numRuns: 50 })
  })

  it('are no more than the bytes that may be held, while nobody takes them', async () => {
    const { seen, ahead } = readOf(Array.from({ length: 50 }, () => textOf(30)))
    assert.equal(seen.given, 0, 'nothing is read before somebody asks')
    await ahead.next()
    await turns()
    assert.equal(seen.given, 1 + 4, 'four have 120 bytes')
    await ahead.next()
    await turns()
    assert.equal(seen.given, 2 + 4)
    await ahead.return()
  })

  it('are one where they are values', async () => {
    const { seen, ahead } = readOf(Array.from({ length: 50 }, () => ({ ...VALUES })))
    await ahead.next()
    await turns()
    assert.equal(seen.given, 2)
    await ahead.return()
  })

  it('come before the error that ended the read', async () => {
    const { ahead } = readOf([textOf(10), textOf(10)], new Error('away'))
    await ahead.next()
    await turns()
    assert.equal((await ahead.next()).done, false)
    await assert.rejects(ahead.next(), { message: 'away' })
    await assert.rejects(ahead.next(), { message: 'away' })
  })

  it('are not read any more once nobody wants them', async () => {
    const { seen, ahead } = readOf(Array.from({ length: 50 }, () => textOf(1)))
    await ahead.next()
    const { given } = seen
    await ahead.return()
    assert.ok(seen.given <= given + 1, 'the one that is under way')
    assert.equal(seen.isClosed, true)
    const after = seen.given
    assert.equal((await ahead.next()).done, true)
    await turns()
    assert.equal(seen.given, after)
  })

  it('fail without a word where the read fails that nobody wants any more', async () => {
    const { ahead } = readOf([textOf(1)], new Error('away'))
    await ahead.next()
    await ahead.return()
    assert.equal((await ahead.next()).done, true)
  })
})
