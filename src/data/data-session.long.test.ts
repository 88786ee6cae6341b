import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ENDLESS, openTestPlane, type TestPlane } from './testing/plane.ts'

describe('a session of the data plane', () => {
  let test: TestPlane
  before(async () => {
    test = await openTestPlane({ maxRunning: 1, maxWaiting: 0, timeoutMs: 20_000 })
    await test.put('sales.csv', 'region,amount\nnorth,1\nsouth,2\nnorth,3\n')
  })
  after(() => test.close())

  const relations = { sales: 'object://b/sales.csv' }
  const rows = async (answer: Promise<{ rows(): Promise<unknown[]> }>) => (await answer).rows()

  it('answers one query after the other from one process, which holds one place', async () => {
    await using session = await test.plane.session({ relations })
    const counted = await session.query({ sql: 'SELECT count(*) AS n FROM sales' })
    assert.deepEqual(counted.columns, [{ name: 'n', type: 'BIGINT' }])
    assert.deepEqual(await counted.rows(), [[3]])
    // Another process would find no place.
    assert.deepEqual(await rows(session.query({ sql: "SELECT amount FROM sales WHERE region = 'south'" })), [[2]])
    const few = await session.query({ sql: 'SELECT amount FROM sales ORDER BY 1', limits: { maxRows: 2 } })
    assert.deepEqual(await few.rows(), [[1], [2]])
    await assert.rejects(test.rows('SELECT 1', {}), { code: 'busy' })
    await session.close()
    assert.deepEqual(await test.rows('SELECT 1', {}), [[1]])
  })

  it('refuses in each query what is refused in the first', async () => {
    await using session = await test.plane.session({ relations })
    await session.query({ sql: 'SELECT 1' })
    for (const sql of [
      'SELECT * FROM duckdb_settings()',
      "COPY sales TO '/tmp/x'",
      "SELECT * FROM read_text('/etc/passwd')"
    ]) {
      await assert.rejects(session.query({ sql }), { code: 'sql_refused' }, sql)
      await session.query({ sql: 'SELECT 1' })
    }
  })

  it('gets another process for what follows an error, and keeps masks', async () => {
    const masks = new Map([['sales', ['amount']]])
    await using session = await test.plane.session({ relations, masks })
    await assert.rejects(session.query({ sql: 'SELECT nothing FROM sales' }), { code: 'sql_error' })
    assert.deepEqual(await rows(session.query({ sql: 'SELECT DISTINCT amount FROM sales' })), [[null]])
    assert.deepEqual(await rows(session.query({ sql: 'SELECT max(amount), max(region) FROM sales' })), [
      [null, 'south']
    ])
  })

  it('has a time for each query, and ends with whoever asks', async () => {
    const leaving = new AbortController()
    await using session = await test.plane.session({ relations, signal: leaving.signal })
    await session.query({ sql: 'SELECT 1' })
    await assert.rejects(session.query({ sql: ENDLESS, limits: { timeoutMs: 300 } }), { code: 'timeout' })
    const endless = session.query({ sql: ENDLESS })
    leaving.abort()
    await assert.rejects(endless, { code: 'cancelled' })
    assert.deepEqual(await test.rows('SELECT 1', {}), [[1]])
  })
})
