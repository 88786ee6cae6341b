// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TestTable } from '../testing/table.ts'
import type { ColumnProfile } from './schema.ts'

const ROWS = 100_000
const DRAWN = 5000
/** So far off is a part of the drawn values, or a rank, once in a thousand million cases (Dvoretzky, Kiefer and Wolfowitz). */
const RANK_ERROR = 3.28 / Math.sqrt(DRAWN)
/** Five standard errors. */
const DISTINCT_ERROR = 5 * 0.13

/** Whole numbers from 0 on, so that the rank of a value is known; squares, which lie far from evenly; and few or many values. */
const TABLE = `SELECT range AS n, (range * range)::DOUBLE AS x, TIMESTAMP '2026-01-01' + INTERVAL (range) SECOND AS "at",
  CASE WHEN range % 4 = 0 THEN NULL ELSE 'c' || (range % 7) END AS few, 'v' || (hash(range) % 3000) AS some,
  (hash(range) % 40000)::INTEGER AS many, range % 10 = 0 AS b, CASE WHEN range < 60000 THEN 'a' ELSE 'b' || range END AS most FROM range(${ROWS})`

describe('a profile of rows of which some are drawn', () => {
  let table: TestTable
  let columns: Record<string, ColumnProfile>
  before(async () => {
    table = await TestTable.open()
    await table.fill(TABLE)
    columns = Object.fromEntries(
      (await table.profile({ drawnRows: DRAWN })).columns.map((column) => [column.name, column])
    )
  })
  after(() => table.close())

  const at = (name: string): ColumnProfile => columns[name] as ColumnProfile

  it('says how many were drawn, and how far off it may be', () => {
    assert.deepEqual(at('n').drawn, { values: DRAWN, exact: false, error: 1.36 / Math.sqrt(DRAWN) })
    const { values = 0, exact } = at('few').drawn ?? {}
    assert.ok(values > DRAWN * 0.7 && values < DRAWN * 0.8 && exact === false)
  })

  it('has exact counts, extremes and means all the same', () => {
    const { count, nulls, min, max, mean } = at('n')
    assert.deepEqual([count, nulls, min, max, mean], [ROWS, 0, 0, ROWS - 1, (ROWS - 1) / 2])
    assert.deepEqual([at('few').count, at('few').nulls, at('few').min, at('few').max], [75_000, 25_000, 'c0', 'c6'])
    assert.deepEqual(at('b').distinct, { count: 2, exact: true })
  })

  it('has quantiles whose ranks are off by no more than it says', () => {
    const ranks = {
      n: (value: unknown) => Number(value) / ROWS,
      x: (value: unknown) => Math.sqrt(Number(value)) / ROWS,
      at: (value: unknown) => (Date.parse(String(value)) - Date.UTC(2026, 0, 1)) / 1000 / ROWS
    }
    for (const [name, rankOf] of Object.entries(ranks)) {
      for (const { quantile, value } of at(name).quantiles) {
        assert.ok(Math.abs(rankOf(value) - quantile) <= RANK_ERROR, `${name} has ${value} at ${quantile}`)
      }
    }
  })

  it('has a histogram from the least to the greatest of all values', () => {
    const { histogram } = at('n')
    assert.deepEqual([histogram.length, histogram[0]?.from, histogram.at(-1)?.to], [20, 0, ROWS - 1])
    for (const { count } of histogram) assert.ok(Math.abs(count / DRAWN - 1 / 20) <= RANK_ERROR, `${count}`)
    const first = at('x').histogram[0]?.count ?? 0
    assert.ok(Math.abs(first / DRAWN - Math.sqrt(1 / 20)) <= RANK_ERROR)
  })

  it('has the most frequent values and forms first', () => {
    const [top] = at('most').top
    assert.equal(top?.value, 'a')
    assert.ok(Math.abs((top?.count ?? 0) / DRAWN - 0.6) <= RANK_ERROR)
    assert.deepEqual(
      at('few').patterns.map(({ pattern }) => pattern),
      ['a9']
    )
    assert.equal(at('few').looksLike?.text, at('few').drawn?.values)
  })

  it('estimates how many values differ within five standard errors, and knows few of them exactly', () => {
    assert.deepEqual(at('few').distinct, { count: 7, exact: false })
    for (const [name, differing] of Object.entries({ n: ROWS, x: ROWS, at: ROWS, some: 3000, most: 40_001 })) {
      const { count = 0, exact } = at(name).distinct ?? {}
      assert.ok(Math.abs(count / differing - 1) <= DISTINCT_ERROR, `${name} has ${differing}, not ${count}`)
      assert.equal(exact, false)
    }
  })

  it('looks at a part of the rows if it is told to, which is never exact', async () => {
    const { rows, columns: sampled } = await table.profile({ sample: 10, drawnRows: ROWS })
    assert.ok(rows > ROWS * 0.08 && rows < ROWS * 0.12, `${rows}`)
    assert.ok(sampled.every(({ drawn }) => drawn?.exact === false))
    const { rows: some } = await table.profile({ where: 'n < 10 -- no bracket )' })
    assert.equal(some, 10)
  })
})
