import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { eventually } from '../../../../test/support/eventually.ts'
import type { SqlDatabase } from '../index.ts'
import type { Given } from './contract.ts'
import { open, readRows } from './under-test.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

export function endingContract(given: Given): void {
  /** How many statements are under way, without the observer's. */
  async function underWay(observer: SqlDatabase): Promise<number> {
    return (await readRows(observer, { query: given.test.underWay })).length
  }

  test('rows come in chunks as they are asked for, and take no more memory than a few of those', async () => {
    const observer = await open(given.server().settings)
    const before = held()
    let rows = 0
    let most = 0
    for await (const chunk of given.database().read({ query: given.test.endless, chunkRows: 2_000 })) {
      assert.equal(chunk.values[0]?.[0], BigInt(rows + 1))
      rows += chunk.rows
      // While the reader pauses no more rows are sent to it.
      for (let i = 0; rows === chunk.rows && i < 150; i++) await readRows(observer, { query: 'select 1' })
      if (rows % 25_000 < chunk.rows || rows === chunk.rows) most = Math.max(most, held() - before)
      if (rows >= 100_000) break
    }
    await observer.close()
    // The whole answer would be a hundred megabytes of text.
    assert.ok(most < 24 << 20, `${most >> 20} MiB more`)
  })

  for (const [how, query, chunks] of [
    ['while the first chunk is awaited', given.test.slow, 0],
    ['between two chunks', given.test.endless, 1]
  ] as const) {
    test(`a signal ends the statement on the server ${how}`, async () => {
      const controller = new AbortController()
      const observer = await open(given.server().settings)
      const rows = given.database().read({ query, signal: controller.signal, chunkRows: 10 })[Symbol.asyncIterator]()
      for (let i = 0; i < chunks; i++) await rows.next()
      const pending = chunks === 0 ? rows.next() : undefined
      pending?.catch(() => {})
      await eventually(async () => (await underWay(observer)) === 1)
      controller.abort(new Error('no longer wanted'))
      await eventually(async () => (await underWay(observer)) === 0)
      await assert.rejects(pending ?? rows.next(), /no longer wanted/)
      await observer.close()
    })
  }

  test('so do a time limit, and leaving the loop', async () => {
    const observer = await open(given.server().settings)
    await assert.rejects(readRows(given.database(), { query: given.test.slow, timeoutMs: 300 }), { code: 'timeout' })
    await eventually(async () => (await underWay(observer)) === 0)
    for await (const _ of given.database().read({ query: given.test.endless })) break
    await eventually(async () => (await underWay(observer)) === 0)
    await assert.rejects(
      readRows(given.database(), { query: 'select 1', signal: AbortSignal.abort(new Error('early')) }),
      /early/
    )
    await observer.close()
  })

  test('closing ends what is under way', async () => {
    const database = await open(given.server().settings)
    const observer = await open(given.server().settings)
    const rows = database.read({ query: given.test.endless, chunkRows: 10 })[Symbol.asyncIterator]()
    await rows.next()
    await database.close()
    await eventually(async () => (await underWay(observer)) === 0)
    await assert.rejects(
      async () => {
        for (;;) if ((await rows.next()).done) return
      },
      { code: 'unavailable' }
    )
    await observer.close()
  })

  test('while the server is down that is said, and when it is back all goes on', async () => {
    const database = await open(given.server().settings)
    await database.check()
    const rows = database.read({ query: given.test.endless, chunkRows: 10 })[Symbol.asyncIterator]()
    await rows.next()
    await given.server().stop()
    const reading = (async () => {
      for (;;) await rows.next()
    })()
    await assert.rejects(reading, { name: 'SqlError', isTransient: true })
    await assert.rejects(database.check(), { isTransient: true, isAboutRows: false })
    await given.server().restart()
    await database.check()
    assert.deepEqual((await readRows(database, { query: 'select 1 as one' })).map(String), ['1'])
    await database.close()
  })
}

function held(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
