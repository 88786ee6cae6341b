import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { within } from '../../test/support/yardstick.ts'
import { ENDLESS, openTestPlane, type TestPlane } from './testing/plane.ts'

describe('the limits of the data plane', () => {
  let test: TestPlane

  before(async () => {
    test = await openTestPlane({ memoryBytes: 128 * 1024 * 1024, maxRunning: 3, maxWaiting: 5 })
    await test.put('sales.csv', 'region,amount\nnorth,1\nsouth,2\nnorth,3\n')
  })
  after(() => test.close())

  const relations = { sales: 'object://b/sales.csv' }

  it('ends a query that takes too long', async () => {
    const ask = async () =>
      (await test.plane.query({ sql: ENDLESS, relations: {}, limits: { timeoutMs: 1000 } })).rows()
    await within(3000, () => assert.rejects(ask, { code: 'timeout', message: /1000 ms/ }))
  })

  it('ends a query that takes too much memory, whether DuckDB counts it or not', async () => {
    const counted = "SELECT list(i::VARCHAR || repeat('x', 100)) FROM range(20000000) t(i)"
    const uncounted = "SELECT length(repeat('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' || i, 50_000_000)) FROM range(3) t(i)"
    // Measured as a difference: other test files have run in this process before.
    const before = process.memoryUsage.rss()
    for (const sql of [counted, uncounted]) {
      await assert.rejects(test.rows(sql), { code: 'out_of_memory', message: /128 MiB/ })
    }
    assert.ok(process.memoryUsage.rss() - before < 512 * 1024 * 1024)
  })

  it('runs eight queries at a time, three of them at once, and turns a ninth away', async () => {
    const asked = Array.from({ length: 8 }, (_, index) =>
      test.rows('SELECT ?::INT, count(*) FROM sales', relations, [index])
    )
    await assert.rejects(test.rows('SELECT 1'), { code: 'busy' })
    assert.deepEqual(
      (await Promise.all(asked)).flat(),
      Array.from({ length: 8 }, (_, index) => [index, 3])
    )
  })

  it('reads a large answer with little memory, no faster than it is taken', async () => {
    const sql = "SELECT i, repeat('x', 1000) FROM range(100000) t(i)"
    const answer = await test.plane.query({ sql, relations, limits: { maxRows: 60_000 } })
    const beforeBytes = process.memoryUsage().heapUsed
    let mostBytes = 0
    for await (const batch of answer) {
      assert.ok(batch.length <= 1000)
      if (answer.rowCount % 10_000 < 300) globalThis.gc?.()
      mostBytes = Math.max(mostBytes, process.memoryUsage().heapUsed - beforeBytes)
    }
    assert.deepEqual([answer.rowCount, answer.truncated], [60_000, true])
    assert.ok(mostBytes < 64 * 1024 * 1024, `${mostBytes} bytes for 60 MB of rows`)
  })
})
