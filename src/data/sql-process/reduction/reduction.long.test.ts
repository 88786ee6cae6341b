import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPlane, type TestPlane } from '../../testing/plane.ts'

describe('rows that a picture needs of ten million', () => {
  let test: TestPlane
  before(async () => {
    test = await openTestPlane()
  })
  after(() => test.close())

  it('keep the least and the greatest of every part, exactly', async () => {
    const sql = `SELECT '2026-01-01'::timestamp_ns + to_microseconds(range * 360) AS t,
      CASE range WHEN 777777 THEN 1e9 WHEN 4444444 THEN -5 ELSE sin(range / 1e5) END AS v FROM range(10_000_000)`
    const reduction = { maxPoints: 1000, maxSeries: 3, spanMs: 3_600_000 }
    const answer = await test.plane.query({ sql, relations: {}, reduction, limits: { timeoutMs: 300_000 } })
    const rows = await answer.rows()
    assert.ok(rows.length > 400 && rows.length <= 1000, String(rows.length))
    assert.deepEqual(answer.reduced, { from: 10_000_000, to: rows.length })
    assert.ok(rows.some(([t, v]) => t === '2026-01-01T00:04:39.99972Z' && v === 1e9))
    assert.ok(rows.some(([, v]) => v === -5))
    assert.deepEqual(
      rows.map(([t]) => t),
      rows.map(([t]) => t).sort()
    )
  })
})
