// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { judge } from '../../evaluation/judge.ts'
import type { Counted } from '../../evaluation/statement.ts'
import { literal, TestTable } from '../../testing/table.ts'
import { candidatesOf } from './candidates.ts'

const numRuns = Number(process.env.PROPERTY_RUNS ?? 12)
const NOW = Date.UTC(2026, 0, 10)
const UNSAID = { warnThreshold: null, failThreshold: null, on: [] }

/** Columns as they are found in the wild, with a value for each row, whose number is given. */
const COLUMNS: Readonly<
  Record<string, readonly [type: string, values: fc.Arbitrary<(row: number) => string | number | null>]>
> = {
  id: [
    'BIGINT',
    fc.constantFrom(
      (row: number) => row,
      (row: number) => row % 15
    )
  ],
  code: [
    'VARCHAR',
    fc.constantFrom(
      (row: number) => `A-${100 + row}`,
      (row: number) => `A.${row}(`
    )
  ],
  state: [
    'VARCHAR',
    fc.constantFrom(
      (row: number) => ['a', "it's", ''][row % 3] ?? '',
      (row: number) => `s${row}`,
      () => null
    )
  ],
  status: [
    'INTEGER',
    fc.constantFrom(
      (row: number) => row % 2,
      (row: number) => (row % 9) - 4
    )
  ],
  amount: [
    'DOUBLE',
    fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((scale) => (row: number) => scale * ((row * 7) % 10))
  ],
  huge: [
    'DOUBLE',
    fc.constantFrom(
      (row: number) => 10 ** row,
      (row: number) => -1e308 + row * 1e307,
      (row: number) => (row === 3 ? 'nan' : row)
    )
  ],
  price: ['DECIMAL(18,4)', fc.integer().map((scale) => (row: number) => (scale * row) / 1e4)],
  big: [
    'BIGINT',
    fc.constantFrom(
      (row: number) => `${9007199254740993n + BigInt(row * row)}`,
      (row: number) => `-${row * row}00000000000`
    )
  ],
  at: [
    'TIMESTAMP',
    fc.constantFrom(
      (row: number) => new Date(NOW - row * row * 3600_000).toISOString(),
      (row: number) => (row === 0 ? 'infinity' : new Date(NOW).toISOString())
    )
  ],
  note: [
    'VARCHAR',
    fc.constantFrom(
      (row: number) => `Note ${'x'.repeat(row * 3)}`,
      (row: number) => `${row}`,
      (row: number) => `2026-01-${10 + row}`
    )
  ]
}

const table = fc.record({
  rows: fc.integer({ min: 18, max: 40 }),
  nullAt: fc.integer({ min: -30, max: 40 }),
  values: fc.tuple(...Object.values(COLUMNS).map(([, values]) => values))
})

describe('rules that a profile speaks for', () => {
  let test: TestTable
  before(async () => {
    test = await TestTable.open()
  })
  after(() => test.close())

  it('are none that take a text for a value that stands for none', async () => {
    /** In rows whose number by 100 leaves this, which none does from 100 on. */
    const about = async (odd: string, rest: number) => {
      const value = (usual: string) =>
        `CASE WHEN range % 100 = ${rest} THEN ${literal(odd, 'VARCHAR')} ELSE ${usual} END`
      await test.fill(
        `SELECT range AS id, ${value("'A-' || (1000 + range)")} AS code, ${value("['x', 'y'][range % 2 + 1]")} AS kind FROM range(200)`
      )
      const found = candidatesOf(await test.profile(), false, NOW)
      return found.filter(({ config }) => config.column === 'code' || config.column === 'kind').map(({ type }) => type)
    }
    assert.deepEqual((await about('n/a', 100)).sort(), ['allowedValues', 'notNull', 'notNull', 'regex'])
    for (const odd of ['n/a', 'N/A', '#N/A', 'n.a.', '-', '', ' ', 'null', '?']) {
      assert.deepEqual(await about(odd, 7), [], JSON.stringify(odd))
    }
  })

  it('are none that allow a value and how it is mistyped', async () => {
    const rulesWith = async (odd: string) => {
      const value = `CASE WHEN range % 100 = 7 THEN ${literal(odd, 'VARCHAR')} ELSE ['OK', 'In Work'][range % 2 + 1] END`
      await test.fill(`SELECT range AS id, ${value} AS state FROM range(400)`)
      const found = candidatesOf(await test.profile(), false, NOW)
      return found.filter(({ type }) => type === 'allowedValues').length
    }
    assert.equal(await rulesWith('Done'), 1)
    for (const odd of ['OK ', ' ok', 'in  work', 'ＯＫ']) assert.equal(await rulesWith(odd), 0, odd)
  })

  it('hold for the data that it is of', async () => {
    const seen = new Set<string>()
    const property = fc.asyncProperty(table, async ({ rows, nullAt, values }) => {
      const names = Object.keys(COLUMNS)
      const selects = Array.from({ length: rows }, (_, row) => {
        const items = names.map((name, at) => {
          const value = row === nullAt ? null : (values[at]?.(row) ?? null)
          return `${literal(value, COLUMNS[name]?.[0] as string)} AS "${name}"`
        })
        return `SELECT ${items.join(', ')}`
      })
      await test.fill(selects.join(' UNION ALL '))
      const candidates = candidatesOf(await test.profile(), false, NOW)
      if (candidates.length === 0) return assert.ok(rows < 20)
      const counted = await test.ask(...candidates)
      for (const [at, { type, config }] of candidates.entries()) {
        seen.add(type)
        const { status } = judge({ type, config, ...UNSAID }, counted[at] as Counted, NOW)
        assert.equal(status, 'passed', JSON.stringify({ type, config }))
      }
    })
    await fc.assert(property, { numRuns })
    const types = ['allowedValues', 'freshness', 'notNull', 'range', 'regex', 'rowCount', 'unique']
    assert.deepEqual([...seen].sort(), types)
  })
})
