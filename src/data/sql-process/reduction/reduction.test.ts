import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { openTestPlane, type TestPlane } from '../../testing/plane.ts'
import { Buckets } from './buckets.ts'

const HOUR_MS = 3_600_000

describe('rows that a picture needs', () => {
  let test: TestPlane
  before(async () => {
    test = await openTestPlane()
  })
  after(() => test.close())

  const ask = async (sql: string, maxPoints: number, limits = {}) => {
    const reduction = { maxPoints, maxSeries: 3, spanMs: HOUR_MS }
    const answer = await test.plane.query({ sql, relations: {}, reduction, limits })
    const rows = await answer.rows()
    return { rows, truncated: answer.truncated, reduced: answer.reduced }
  }

  it('are all rows where there are few, as they are', async () => {
    const sql = "SELECT '2026-01-01'::timestamp + to_seconds(range) AS t, range AS v FROM range(20) ORDER BY 1 DESC"
    const { rows, reduced } = await ask(sql, 20)
    assert.deepEqual([rows.length, rows[0], reduced], [20, ['2026-01-01T00:00:19.000Z', 19], null])
  })

  it('are reduced by the day too, and days stay days', async () => {
    const sql = `SELECT CASE range WHEN 7 THEN NULL WHEN 8 THEN 'infinity'::date ELSE '1960-01-01'::date + range::int END AS d,
      CASE range WHEN 777 THEN 1e9 ELSE range % 5 END AS v FROM range(20000)`
    const { rows, reduced } = await ask(sql, 100)
    assert.ok(rows.length > 20 && rows.length <= 100, String(rows.length))
    assert.deepEqual(reduced, { from: 20_000, to: rows.length })
    assert.ok(rows.some(([d, v]) => d === '1962-02-16' && v === 1e9))
    assert.ok(rows.every(([d]) => /^\d{4}-\d\d-\d\d$/.test(String(d))))
  })

  it('are those of each series, and no series beyond the limit', async () => {
    const sql = `SELECT '2026-01-01'::timestamptz + to_seconds(range) AS t, range AS v, 'n' || (range % 4) AS name, NULL AS x
      FROM range(4000) ORDER BY t`
    const { rows, truncated } = await ask(sql, 100)
    const names = Map.groupBy(rows, (row) => row[2])
    assert.deepEqual([[...names.keys()], truncated], [['n0', 'n1', 'n2'], true])
    for (const ofOne of names.values()) assert.ok(ofOne.length > 20 && ofOne.length <= 100, String(ofOne.length))
  })

  it('stay within the rows of an answer, however many series there are', async () => {
    const sql =
      "SELECT '2026-01-01'::timestamp + to_seconds(range) AS t, range AS v, 'n' || (range % 3) AS name FROM range(9000)"
    const { rows } = await ask(sql, 1000, { maxRows: 120 })
    assert.ok(rows.length <= 120 && rows.length > 30, String(rows.length))
  })

  it('leave out times and values that are not known, and are cut where nothing is a time', async () => {
    const sql = `SELECT CASE WHEN range % 2 = 0 THEN '2026-01-01'::timestamp + to_seconds(range) END AS t,
      CASE WHEN range % 3 > 0 THEN range END AS v FROM range(1000)`
    const { rows } = await ask(sql, 10)
    assert.ok(rows.every(([t, v]) => t !== null && v !== null) && rows.length > 2 && rows.length <= 10)
    assert.deepEqual(await ask('FROM range(1000)', 10, { maxRows: 5 }), {
      rows: [[0], [1], [2], [3], [4]],
      truncated: true,
      reduced: null
    })
  })

  it('are not crowded out by infinite values', async () => {
    const sql = `SELECT '2026-01-01'::timestamp + to_milliseconds(range * 400) AS t,
      CASE range % 100 WHEN 7 THEN 'infinity'::double WHEN 8 THEN '-infinity'::double ELSE range END AS v FROM range(9000)`
    const { rows, reduced } = await ask(sql, 100)
    assert.ok(rows.length > 20 && rows.every(([, v]) => typeof v === 'number'), JSON.stringify(rows.slice(0, 3)))
    assert.equal(reduced?.from, 9000)
  })

  it('are within the room and hold both extremes, whatever comes in whatever order', () => {
    const point = fc.record({ t: fc.integer({ min: -(2 ** 45), max: 2 ** 45 }), v: fc.integer({ min: -99, max: 99 }) })
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 2, max: 40 }),
        (points, maxPoints) => {
          const buckets = new Buckets({ maxPoints, maxRows: 1000, maxSeries: 1 }, 1, 1000)
          const halves = new Int32Array(BigInt64Array.from(points, ({ t }) => BigInt(t)).buffer)
          buckets.add('', halves, [Float64Array.from(points, ({ v }) => v)], points.length)
          const [[, rows]] = [...buckets.rows()] as [[string, { time: bigint; values: number[] }[]]]
          const values = rows.map((row) => row.values[0] as number)
          assert.ok(rows.length <= Math.max(maxPoints, 4), `${rows.length} of ${maxPoints}`)
          assert.equal(Math.min(...values), Math.min(...points.map(({ v }) => v)))
          assert.equal(Math.max(...values), Math.max(...points.map(({ v }) => v)))
          for (const {
            time,
            values: [v]
          } of rows)
            assert.ok(points.some((one) => BigInt(one.t) === time && one.v === v))
        }
      )
    )
  })
})
