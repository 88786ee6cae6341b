import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import type { DataRow } from '../messages.ts'
import { reducedBatches } from './reduced-batches.ts'

/** Chunks of DuckDB have 2,048 rows; the question is begun again after the second one. */
const ROWS = 6000
const SOON = { rows: 3000, withinMs: Number.POSITIVE_INFINITY }
const MAX_POINTS = 8

describe('rows that DuckDB looks at itself', () => {
  let instance: DuckDBInstance
  let connection: DuckDBConnection
  const asked: string[] = []
  before(async () => {
    instance = await DuckDBInstance.create(':memory:')
    connection = await instance.connect()
    await connection.run("SET TimeZone = 'UTC'; SET threads = 2")
  })
  after(() => {
    connection.closeSync()
    instance.closeSync()
  })

  const again = async (sql: string) => {
    asked.push(sql)
    const statement = await connection.prepare(sql).catch(() => undefined)
    return statement?.stream()
  }

  async function reduce(sql: string, maxSeries = 1000, patience = SOON) {
    asked.length = 0
    const reduction = { maxPoints: MAX_POINTS, maxSeries, spanMs: 1 }
    const result = await (await connection.prepare(sql)).stream()
    const batches = reducedBatches(result, { sql, maxRows: 10_000, reduction, again, patience })
    const rows: DataRow[] = []
    for (;;) {
      const batch = await batches.next()
      if (batch.done === true) return { rows, ...batch.value }
      rows.push(...batch.value)
    }
  }

  const value = fc.constantFrom('NULL', "'NaN'", "'infinity'", "'-infinity'", '-3.5', '0', '1', '2', '7e300')
  const time = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -5_000_000, max: 5_000_000 }).map((us) => `make_timestamp(${us})`) },
    { weight: 1, arbitrary: fc.constantFrom('NULL', "'infinity'::TIMESTAMP", "'-infinity'::TIMESTAMP") }
  )
  const text = fc.constantFrom('NULL', "'a'", "'b'", `'{"c"'`)
  const row = fc.record({ time, one: value, two: value, text })

  it('hold the extremes of every column of every series, and count all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: MAX_POINTS + 1, maxLength: 60 }), async (made) => {
        const times = Math.ceil(ROWS / made.length)
        const values = made.map((one) => `(${one.time}, ${one.one}::DOUBLE, ${one.two}::DOUBLE, ${one.text})`)
        await connection.run(
          `CREATE OR REPLACE TABLE made AS SELECT t, a, b, s FROM (VALUES ${values.join(', ')}) AS v(t, a, b, s), range(${times})`
        )
        // Names of columns need not be different, and the end of a statement is not the end of the question around it.
        const sql = 'SELECT t, a AS v, b AS v, s FROM made -- all of it;\n ;; '
        const found = await reduce(sql)
        assert.equal(asked.length, 1)
        assert.equal(found.reduced?.from, made.length * times)
        const drawn = `FROM made WHERE isfinite(t)`
        for (const column of ['a', 'b']) {
          const place = column === 'a' ? 1 : 2
          const reader = await connection.runAndReadAll(
            `SELECT s, min(n)::VARCHAR, max(n)::VARCHAR FROM (SELECT s, CASE WHEN isfinite(${column}) THEN ${column} END AS n ${drawn}) GROUP BY s`
          )
          for (const [series, least, greatest] of reader.getRows()) {
            const kept = found.rows.filter((one) => one[3] === series).map((one) => Number(one[place] ?? 'NaN'))
            const known = kept.filter(Number.isFinite)
            assert.equal(known.length === 0 ? null : Math.min(...known), least === null ? null : Number(least))
            assert.equal(known.length === 0 ? null : Math.max(...known), greatest === null ? null : Number(greatest))
          }
        }
        for (const [t, a, b, s] of found.rows) {
          const same = made.some(
            (one) =>
              JSON.stringify([a, b, s]) === JSON.stringify([shown(one.one), shown(one.two), shown(one.text)]) &&
              one.time.startsWith('make_timestamp(') &&
              Date.parse(String(t)) === Math.floor(Number(/-?\d+/.exec(one.time)?.[0]) / 1000)
          )
          assert.ok(same, JSON.stringify([t, a, b, s]))
        }
      })
    )
  })

  it('are looked at one after the other where there are too many series, they come slowly, or nothing can be put around them', async () => {
    const sql = `SELECT make_timestamp(range * 1000) AS t, range % 7 AS v, 's' || (range % 5) AS s FROM range(${ROWS})`
    const plain = await reduce(sql, 5, { rows: Number.POSITIVE_INFINITY, withinMs: 0 })
    assert.equal(plain.reduced?.from, ROWS)
    assert.deepEqual([(await reduce(sql, 4)).truncated, asked], [true, []])
    assert.deepEqual([(await reduce(sql, 5, { ...SOON, withinMs: -1 })).rows, asked], [plain.rows, []])
    const commented = `${sql}; -- the end`
    assert.deepEqual([(await reduce(commented, 5)).rows, asked.length, asked[1]], [plain.rows, 2, commented])
    assert.equal((await reduce(sql, 5)).reduced?.from, ROWS)
    assert.equal(asked.length, 1)
  })
})

/** What an answer has for a value of SQL. */
function shown(sql: string): number | string | null {
  if (sql === 'NULL' || sql === "'NaN'") return null
  if (sql === "'infinity'") return 'Infinity'
  if (sql === "'-infinity'") return '-Infinity'
  return sql.startsWith("'") ? sql.slice(1, -1) : Number(sql)
}
