// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { type NaiveColumn, profileNaively } from '../testing/naive-profile.ts'
import { literal, TestTable } from '../testing/table.ts'
import type { Look } from './looks.ts'
import type { ColumnProfile } from './schema.ts'

/** The square of a smaller number is no number any more but zero, or the smallest there is: deviations are made of squares. */
const SQUARES_VANISH_BELOW = 1e-160
const numRuns = Number(process.env.PROPERTY_RUNS ?? 25)

/** Texts with what they look like. */
const TEXTS: Readonly<Record<string, Look>> = {
  '': 'text',
  ' ': 'text',
  a: 'text',
  é: 'text',
  'e\u0301': 'text',
  'Straße 7': 'text',
  "it's": 'text',
  'AB-12': 'text',
  '😀 x': 'text',
  '\n': 'text',
  NULL: 'text',
  '12': 'integer',
  '-0': 'integer',
  '1.5': 'decimal',
  '1e5': 'decimal',
  '.': 'text',
  '1.2.3': 'text',
  TRUE: 'boolean',
  no: 'boolean',
  '2026-02-28': 'date',
  '2026-02-30': 'text',
  '2026-02-28T10:00:00Z': 'timestamp',
  '2026-02-28 10:00:00.5+02:00': 'timestamp',
  '01890a5d-ac96-774b-bcce-b302099a8057': 'uuid',
  '{"a": 1}': 'json',
  '[]': 'json',
  '{"a"': 'text',
  [`${'ä'.repeat(199)}b`]: 'text',
  [`${'ä'.repeat(200)}b`]: 'text',
  [`${'ä'.repeat(200)}c`]: 'text',
  ['x'.repeat(100_000)]: 'text'
}

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 4 })
const number = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.1, 1e300, -1e300, 5e-324, Number.NaN, Infinity, -Infinity, 2 ** 53),
  fc.double({ min: -1000, max: 1000 }),
  fc.double()
)
const ms = fc.integer({ min: -3, max: 4_000_000 }).map((minutes) => minutes * 60_000)
const time = fc.oneof(ms, ms, ms, fc.constantFrom(Infinity, -Infinity))

const row = fc.record({
  b: nullable(fc.boolean()),
  n: nullable(fc.integer({ min: -20, max: 20 })),
  m: nullable(fc.integer({ min: -500, max: 500 }).map((cents) => cents / 100)),
  x: nullable(number),
  t: nullable(fc.constantFrom(...Object.keys(TEXTS))),
  at: nullable(time),
  atz: nullable(time),
  d: nullable(time.map((one) => (Number.isFinite(one) ? Math.floor(one / 86_400_000) * 86_400_000 : one)))
})
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never

const NOTHING: Row = { b: null, n: null, m: null, x: null, t: null, at: null, atz: null, d: null }

const TYPES = {
  b: 'BOOLEAN',
  n: 'BIGINT',
  m: 'DECIMAL(9,2)',
  x: 'DOUBLE',
  t: 'VARCHAR',
  at: 'TIMESTAMP',
  atz: 'TIMESTAMP WITH TIME ZONE',
  d: 'DATE'
} as const

const KINDS = {
  b: 'boolean',
  n: 'number',
  m: 'number',
  x: 'number',
  t: 'text',
  at: 'time',
  atz: 'time',
  d: 'time'
} as const

describe('a profile of rows that are all drawn', () => {
  let table: TestTable
  before(async () => {
    table = await TestTable.open()
  })
  after(() => table.close())

  it('says what a naive computation says', async () => {
    const property = fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      await table.fill(tableOf(rows))
      const { rows: counted, columns } = await table.profile()
      assert.equal(counted, rows.length)
      for (const column of columns) assertSame(column, profileNaively(naiveOf(column.name as keyof Row, rows)))
    })
    await fc.assert(property, { numRuns })
  })

  it('has a deviation of numbers whose squares are too small to be numbers', async () => {
    const rows = [2.222758749485078e-162, 0].map((x) => ({ ...NOTHING, x }))
    await table.fill(tableOf(rows))
    const { columns } = await table.profile()
    for (const column of columns) assertSame(column, profileNaively(naiveOf(column.name as keyof Row, rows)))
  })

  it('says nothing of the values of what is confidential', async () => {
    await table.fill(
      `SELECT 'secret' || range AS t, 4711 + range AS n, 0.4711 AS x, TIMESTAMP '2026-04-07' AS "at" FROM range(30)`
    )
    const { columns } = await table.profile({}, () => true)
    assert.doesNotMatch(JSON.stringify(columns), /secret|471|aaaaaa|2026/)
    assert.deepEqual(
      columns.map(({ masked, count, distinct }) => [masked, count, distinct?.count]),
      [
        [true, 30, 30],
        [true, 30, 30],
        [true, 30, 1],
        [true, 30, 1]
      ]
    )
  })

  it('has counts of types that it can say no more of', async () => {
    await table.fill(
      `SELECT [1, 2] AS l, {'a': 1} AS s, MAP {'a': 1} AS m, 'x'::BLOB AS y, INTERVAL 1 DAY AS i, TIME '10:00' AS "at", 1::UHUGEINT AS u,
        '01890a5d-ac96-774b-bcce-b302099a8057'::UUID AS id, '{}'::JSON AS j, 'b'::ENUM('b', 'a') AS e, TIMESTAMP_NS '2026-01-01 00:00:00.000000001' AS ns,
        TIMESTAMP_S '2026-01-01' AS sec, NULL AS nothing, (2::HUGEINT ** 100)::HUGEINT AS h, 1.5::FLOAT AS f FROM range(3)`
    )
    const { columns } = await table.profile()
    assert.deepEqual(
      columns
        .filter(({ name }) => name !== 'nothing')
        .map(({ name, count, distinct }) => [name, count, distinct?.count]),
      columns.filter(({ name }) => name !== 'nothing').map(({ name }) => [name, 3, 1])
    )
    const shown = Object.fromEntries(columns.map(({ name, min, top }) => [name, [min, top[0]?.value ?? null]]))
    assert.deepEqual(shown, {
      l: [null, null],
      s: [null, null],
      m: [null, null],
      y: [null, null],
      i: [null, null],
      at: [null, null],
      u: [1, 1],
      id: ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8057'],
      j: ['{}', '{}'],
      e: ['b', 'b'],
      ns: ['2026-01-01T00:00:00.000000001Z', '2026-01-01T00:00:00.000000001Z'],
      sec: ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
      nothing: [null, null],
      h: ['1267650600228229401496703205376', '1267650600228229401496703205376'],
      f: [1.5, 1.5]
    })
  })
})

const naiveOf = (name: keyof Row, rows: readonly Row[]): NaiveColumn =>
  ({
    name,
    type: TYPES[name],
    kind: KINDS[name],
    values: rows.map((one) => one[name]),
    lookOf: (text: string) => TEXTS[text]
  }) as NaiveColumn

/** Sums depend on the order in which they are made, and what is equally frequent has no order. */
function assertSame(actual: ColumnProfile, expected: ColumnProfile): void {
  const { mean, stddev, lengths, ...rest } = sorted(asSent(actual))
  const {
    mean: expectedMean,
    stddev: expectedStddev,
    lengths: expectedLengths,
    ...expectedRest
  } = sorted(asSent(expected))
  assert.deepEqual(rest, expectedRest)
  assertClose(lengths?.mean ?? null, expectedLengths?.mean ?? null, 0, actual.name)
  const scale = Math.max(...[actual.min, actual.max].map((bound) => Math.abs(Number(bound ?? 0)) || 0))
  if (typeof mean === 'string') assert.ok(Math.abs(Date.parse(mean) - Date.parse(String(expectedMean))) <= 1, mean)
  else assertClose(mean as number | null, expectedMean as number | null, scale, `the mean of ${actual.name}`)
  assertClose(stddev, expectedStddev, scale, `the deviation of ${actual.name}`)
}

/** Zero has no sign in an answer. */
const asSent = (column: ColumnProfile): ColumnProfile => JSON.parse(JSON.stringify(column))

function assertClose(actual: number | null, expected: number | null, scale: number, what: string): void {
  if (actual === null || expected === null) {
    assert.equal(actual, expected, what)
    return
  }
  const allowed = Math.max(1e-9 * Math.max(scale, Math.abs(expected)), SQUARES_VANISH_BELOW)
  assert.ok(Math.abs(actual - expected) <= allowed, `${what} is ${actual}, not ${expected}`)
}

const sorted = (column: ColumnProfile): ColumnProfile => ({
  ...column,
  top: column.top.toSorted((a, b) => b.count - a.count || (JSON.stringify(a.value) < JSON.stringify(b.value) ? -1 : 1)),
  patterns: column.patterns.toSorted((a, b) => b.count - a.count || (a.pattern < b.pattern ? -1 : 1))
})

/** A table that may be empty, with its types. */
function tableOf(rows: readonly Row[]): string {
  const names = Object.keys(TYPES) as (keyof Row)[]
  const none = `SELECT ${names.map((name) => `NULL::${TYPES[name]} AS "${name}"`).join(', ')} WHERE false`
  const selects = rows.map((one) => `SELECT ${names.map((name) => sqlOf(name, one[name])).join(', ')}`)
  return [none, ...selects].join(' UNION ALL ')
}

function sqlOf(name: keyof Row, value: string | number | boolean | null): string {
  if (KINDS[name] === 'time' && typeof value === 'number') {
    return literal(
      Number.isFinite(value) ? new Date(value).toISOString() : value > 0 ? 'infinity' : '-infinity',
      TYPES[name]
    )
  }
  return literal(Object.is(value, -0) ? '-0.0' : value, TYPES[name])
}
