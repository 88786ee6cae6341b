// Once: SQL that DuckDB runs over files.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { type Question, TestTable } from '../testing/table.ts'

const ROWS = 20_000
const DAY = 86_400

/** Times that come in order but for one day in a thousand rows, numbers, and texts; some are missing. */
const TABLE = (missing: number) => `SELECT range AS id,
  CASE WHEN range % ${missing} <> 1 THEN TIMESTAMP '2026-01-01' + INTERVAL (range * 60 + CASE WHEN range % 1000 = 9 THEN ${DAY} ELSE 0 END) SECOND END AS sold,
  CASE WHEN range % ${missing} <> 2 THEN CASE WHEN range % 777 = 3 THEN 'nan' ELSE (hash(range) % 1000)::VARCHAR END::DOUBLE END AS amount,
  CASE WHEN range % ${missing} <> 3 THEN (hash(range) % ${ROWS})::INTEGER END AS count,
  ['new', 'paid', NULL, 'back'][1 + (range % 4)::INTEGER] AS state FROM range(${ROWS})`

const day = fc.integer({ min: 0, max: 16 }).map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString())
const amount = fc.integer({ min: -1, max: 1001 })
const pair = <T extends string | number>(of: fc.Arbitrary<T>) =>
  fc.tuple(of, of).map(([a, b]) => (a <= b ? { min: a, max: b } : { min: b, max: a }))

const question: fc.Arbitrary<Question> = fc.oneof(
  pair(day).map((bounds) => ({ type: 'range' as const, config: { column: 'sold', ...bounds } })),
  day.map((max) => ({ type: 'range' as const, config: { column: 'sold', max } })),
  pair(amount).map((bounds) => ({ type: 'range' as const, config: { column: 'amount', ...bounds } })),
  amount.map((min) => ({ type: 'range' as const, config: { column: 'amount', min } })),
  amount.map((max) => ({ type: 'range' as const, config: { column: 'amount', max } })),
  fc.tuple(fc.constantFrom('<', '<=', '>', '>='), amount).map(([sign, bound]) => ({
    type: 'notNull' as const,
    config: { column: 'state', where: `amount ${sign} ${bound}` }
  })),
  fc
    .subarray(['new', 'paid', 'sent'], { minLength: 1 })
    .map((values) => ({ type: 'allowedValues' as const, config: { column: 'state', values } })),
  pair(fc.integer({ min: 0, max: ROWS })).map((bounds) => ({
    type: 'range' as const,
    config: { column: 'id', ...bounds }
  })),
  fc
    .integer({ min: -2, max: 2 * ROWS + 2 })
    .chain((half) => fc.constantFrom({ min: half / 2 }, { max: half / 2 }))
    .map((bound) => ({ type: 'range' as const, config: { column: 'count', ...bound } }))
)

describe('rules over Parquet', () => {
  let table: TestTable
  const folder = mkdtempSync(join(tmpdir(), 'millrace-rules-'))
  before(async () => {
    table = await TestTable.open()
  })
  after(() => {
    table.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const [what, missing] of [
    ['without nulls', ROWS + 5],
    ['with nulls', 7]
  ] as const) {
    it(`come to the same in parts of files, together and one by one, ${what}`, async () => {
      await table.fillFile(TABLE(missing), join(folder, `${missing}.parquet`), 2048)
      const property = fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 20 }), async (questions) => {
        const together = await table.askAs('object://b/rows.parquet', ...questions)
        const alone = []
        for (const one of questions) alone.push(...(await table.askAs('object://b/rows.csv', one)))
        assert.deepEqual(together, alone, JSON.stringify(questions))
      })
      await fc.assert(property, { numRuns: 30 })
    })
  }
})
