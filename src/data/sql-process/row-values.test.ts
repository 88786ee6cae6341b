import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { batchesOf } from './batches.ts'
import type { DataRow } from './messages.ts'

const VALUES: readonly (readonly [sql: string, value: unknown])[] = [
  ['NULL', null],
  ['true', true],
  ['42', 42],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['170141183460469231731687303715884105727::HUGEINT', '170141183460469231731687303715884105727'],
  ['18446744073709551615::UBIGINT', '18446744073709551615'],
  ['sum(5::BIGINT)', 5],
  ['1.5::DOUBLE', 1.5],
  ["'NaN'::DOUBLE", 'NaN'],
  ["'-inf'::DOUBLE", '-Infinity'],
  ['12.34::DECIMAL(10, 2)', 12.34],
  ['1234567890123456.78::DECIMAL(18, 2)', '1234567890123456.78'],
  ["'é😀'", 'é😀'],
  ["'\\x00\\xFF'::BLOB", 'AP8='],
  ["DATE '2026-02-03'", '2026-02-03'],
  ["TIME '10:11:12.5'", '10:11:12.5'],
  ["TIMESTAMP '2026-02-03 10:11:12'", '2026-02-03T10:11:12.000Z'],
  ["TIMESTAMP '2026-02-03 10:11:12.123456'", '2026-02-03T10:11:12.123456Z'],
  ["TIMESTAMP '1969-12-31 23:59:59.999999'", '1969-12-31T23:59:59.999999Z'],
  ["'2026-02-03 10:11:12.123456789'::TIMESTAMP_NS", '2026-02-03T10:11:12.123456789Z'],
  ["'2026-02-03 10:11:12'::TIMESTAMP_S", '2026-02-03T10:11:12.000Z'],
  ["'2026-02-03 10:11:12.120'::TIMESTAMP_MS", '2026-02-03T10:11:12.120Z'],
  ["TIMESTAMPTZ '2026-02-03 10:11:12+02'", '2026-02-03T08:11:12.000Z'],
  ["TIMESTAMP 'infinity'", 'infinity'],
  ["TIMESTAMP '-infinity'", '-infinity'],
  ["TIMESTAMP '280000-01-01'", '280000-01-01 00:00:00'],
  ["INTERVAL '1 day 2 hours'", '1 day 02:00:00'],
  ["'550e8400-e29b-41d4-a716-446655440000'::UUID", '550e8400-e29b-41d4-a716-446655440000'],
  ["'a'::ENUM('a', 'b')", 'a'],
  ["'101'::BIT", '101'],
  ['[1, NULL, 3]', [1, null, 3]],
  ['array_value(1, 2)', [1, 2]],
  ["{'a': 1, 'b': [{'c': TIMESTAMP '2026-01-01'}]}", { a: 1, b: [{ c: '2026-01-01T00:00:00.000Z' }] }],
  [
    "MAP {'x': 1, 'y': 2}",
    [
      { key: 'x', value: 1 },
      { key: 'y', value: 2 }
    ]
  ],
  ['union_value(k := 3)', { tag: 'k', value: 3 }],
  ['\'{"a": 1}\'::JSON', '{"a": 1}']
]

async function batches(
  sql: string,
  maxRows: number
): Promise<{ sizes: number[]; rows: DataRow[]; truncated: boolean }> {
  const connection = await (await DuckDBInstance.create()).connect()
  const reading = batchesOf(await connection.stream(sql), maxRows)
  const [sizes, rows]: [number[], DataRow[]] = [[], []]
  for (let batch = await reading.next(); ; batch = await reading.next()) {
    if (batch.done === true) return { sizes, rows, truncated: batch.value.truncated }
    sizes.push(batch.value.length)
    rows.push(...batch.value)
  }
}

describe('a row of an answer', () => {
  it('has values that JSON can carry', async () => {
    const { rows } = await batches(`SELECT ${VALUES.map(([sql]) => sql).join(', ')}`, 10)
    for (const [index, [sql, value]] of VALUES.entries()) assert.deepEqual(rows[0]?.[index], value, sql)
    assert.deepEqual(JSON.parse(JSON.stringify(rows)), rows)
  })

  it('comes with others, in batches of a bounded size', async () => {
    const narrow = await batches('FROM range(2500)', 10_000)
    assert.deepEqual([narrow.sizes, narrow.truncated], [[1000, 1000, 500], false])
    const wide = await batches("SELECT repeat('x', 100_000) FROM range(5)", 10_000)
    assert.deepEqual(wide.sizes, [3, 2])
  })

  it('is one of so many as are allowed', async () => {
    for (const [maxRows, count, truncated] of [
      [0, 0, true],
      [1000, 1000, true],
      [2999, 2999, true],
      [3000, 3000, false]
    ] as const) {
      const answer = await batches('FROM range(3000)', maxRows)
      assert.deepEqual([answer.rows.length, answer.truncated], [count, truncated])
    }
  })

  it('is refused where it is too large to be passed on', async () => {
    await assert.rejects(batches("SELECT repeat('x', 9_000_000)", 10), { code: 'row_too_large' })
  })
})
