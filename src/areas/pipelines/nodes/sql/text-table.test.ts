// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../../test/support/any-character.ts'
import type { SqlType } from '../../../../engines/sql/index.ts'
import { TextTable } from './text-table.ts'

const COLUMNS: readonly (readonly [name: string, type: SqlType])[] = [
  ['t', 'text'],
  ['n', 'bigint'],
  ['x', 'double'],
  ['b', 'boolean'],
  ['at', 'timestamptz'],
  ['d', 'date'],
  ['m', 'decimal']
]

/** Whatever needs no escape: no backslash, no tab, no line break. */
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', "'", ' ', ',', '#', 'N', 'é', '😀', '', '-', 'null'),
    maxLength: 8
  }),
  fc.string({ unit: ANY_CHARACTER }).map((one) => one.replace(/[\\\b\f\n\r\t\v\0]/g, ''))
)
const row = fc.record({
  t: fc.option(text),
  n: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  x: fc.option(fc.oneof(fc.double(), fc.constantFrom(Infinity, -Infinity))),
  b: fc.option(fc.boolean()),
  at: fc.option(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })),
  d: fc.option(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })),
  m: fc.option(fc.integer().map((one) => `${one}.250`))
})
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never

const isoText = (date: Date) => date.toISOString().replace('T', ' ').replace('Z', '+00')
const printed = ({ t, n, x, b, at, d, m }: Row) =>
  [t, n, x, b === null ? null : b ? 't' : 'f', at && isoText(at), d?.toISOString().slice(0, 10) ?? null, m].map(
    (one) => (one === null ? '\\N' : String(one))
  )
const expected = ({ t, n, x, b, at, d, m }: Row) => [
  t,
  n === null ? null : String(n),
  x,
  b,
  at === null ? null : at.getTime(),
  d === null ? null : d.toISOString().slice(0, 10),
  m
]

describe('a table made of lines', () => {
  let database: DuckDBConnection
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'text-table-'))
    database = await (await DuckDBInstance.create(':memory:')).connect()
  })
  after(() => {
    database.closeSync()
    rmSync(folder, { recursive: true })
  })
  const columns = COLUMNS.map(([name, type]) => ({ name, of: { type } }))
  let made = 0
  async function load(lines: readonly string[]): Promise<string | undefined> {
    const table = new TextTable(database, join(folder, `lines-${++made}`), columns)
    for (const line of lines) await table.add(Buffer.from(`${line}\n`))
    return (await table.make(`t${made}`)) ? `t${made}` : undefined
  }

  it('has the values and the order of the lines', async () => {
    const property = fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
      const name = await load(rows.map((one) => printed(one).join('\t')))
      assert.ok(name)
      const list = 't, n::VARCHAR, x, b, epoch_ms("at")::DOUBLE, d::VARCHAR, m'
      const answer = await database.runAndReadAll(`SELECT ${list} FROM ${name}`)
      assert.deepEqual(
        answer.getRows().map((one) => one.map((value) => (Object.is(value, -0) ? 0 : value))),
        rows.map((one) => expected(one).map((value) => (Object.is(value, -0) ? 0 : value)))
      )
    })
    await fc.assert(property, { numRuns: Number(process.env.PROPERTY_RUNS ?? 50) })
  })

  it('knows what is endless, and years before our era', async () => {
    const good = ['x', '1', 'NaN', 't', 'infinity', '0044-03-15 BC', '1.0']
    const name = await load([good.join('\t'), good.with(4, '-infinity').with(5, 'infinity').join('\t')])
    const answer = await database.runAndReadAll(`SELECT x::VARCHAR, "at"::VARCHAR, d::VARCHAR FROM ${name}`)
    assert.deepEqual(answer.getRows(), [
      ['nan', 'infinity', '0044-03-15 (BC)'],
      ['nan', '-infinity', 'infinity']
    ])
  })

  it('is not made where a value is none of its type', async () => {
    const good = ['x', '1', '0.5', 't', '2026-01-01 00:00:00+00', '2026-01-01', '1.0']
    assert.ok(await load([good.join('\t')]))
    for (const [at, bad] of [
      [1, '9223372036854775808'],
      [4, '0044-03-15 00:00:00+00 BC'],
      [5, '2026-02-30'],
      [3, 'maybe']
    ] as const) {
      assert.equal(await load([good.join('\t'), good.with(at, bad).join('\t')]), undefined, bad)
    }
  })
})
