// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { askNaively, type NaiveQuestion, type NaiveRow } from '../testing/naive.ts'
import { literal, TestTable } from '../testing/table.ts'
import { judge } from './judge.ts'
import type { Counted } from './statement.ts'

const numRuns = Number(process.env.PROPERTY_RUNS ?? 60)

const HUGE = 'ä'.repeat(100_000)
const text = fc.constantFrom(
  '',
  ' ',
  'a',
  'A',
  'é',
  'e\u0301',
  '\u212b',
  'å',
  "it's",
  '"',
  '%_',
  '\n',
  '😀',
  '0',
  '-1',
  'NULL',
  HUGE
)
const number = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.1, 1e300, -1e300, 5e-324, Number.NaN, Infinity, -Infinity, 2 ** 53),
  fc.double()
)
const dayMs = fc.integer({ min: -3, max: 3 }).map((days) => days * 43_200_000)
const time = fc.oneof({ weight: 5, arbitrary: dayMs }, fc.constantFrom(Infinity, -Infinity))
const day = time.map((ms) => (Number.isFinite(ms) ? Math.floor(ms / 86_400_000) * 86_400_000 : ms))

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 4 })
const row: fc.Arbitrary<NaiveRow> = fc.record({
  id: nullable(fc.integer({ min: 0, max: 5 })),
  t: nullable(text),
  x: nullable(number),
  at: nullable(time),
  ts: nullable(time),
  d: nullable(day)
})

const finite = fc.constantFrom(-1e300, -1, -0, 0, 0.1, 1, 1e300, 2 ** 53)
const isoTime = fc.tuple(dayMs, fc.constantFrom(0, 5, -8)).map(([ms, hours]) => inZone(ms, hours))
const timeColumn = fc.constantFrom('at', 'ts', 'd')
const column = fc.oneof(fc.constantFrom('id', 't', 'x'), timeColumn)

/** A moment as somebody writes it who lives so many hours east. */
function inZone(ms: number, hours: number): string {
  const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
  return new Date(ms + hours * 3600_000).toISOString().replace('Z', offset)
}

const ordered = <T extends number | string>(pair: readonly [T, T], time: (one: T) => number) =>
  time(pair[0]) <= time(pair[1]) ? { min: pair[0], max: pair[1] } : { min: pair[1], max: pair[0] }

const bounds = fc.oneof(
  fc.tuple(finite, finite).map((pair) => ({ column: 'x', ...ordered(pair, Number) })),
  fc.tuple(timeColumn, isoTime, isoTime).map(([name, ...pair]) => ({ column: name, ...ordered(pair, Date.parse) })),
  finite.map((min) => ({ column: 'x', min })),
  fc.tuple(fc.integer({ min: 0, max: 5 }), finite).map((pair) => ({ column: 'id', ...ordered(pair, Number) })),
  fc.tuple(timeColumn, isoTime).map(([name, max]) => ({ column: name, max }))
)

/** Queries, with how many rows each answers: SQL takes what is no number for greater than all numbers. */
const QUERIES: readonly (readonly [string, NonNullable<NaiveQuestion['answers']>])[] = [
  ['SELECT * FROM dataset; ', (rows) => rows.length],
  ['SELECT x FROM dataset WHERE x > 0', (rows) => rows.filter(({ x }) => x !== null && !(x <= 0)).length],
  [
    'SELECT * FROM dataset WHERE isinf(x) -- both',
    (rows) => rows.filter(({ x }) => Math.abs(x ?? 0) === Infinity).length
  ],
  ["SELECT id FROM dataset WHERE t = 'é'", (rows) => rows.filter(({ t }) => t === 'é').length],
  ['SELECT t FROM dataset WHERE length(t) > 1', (rows) => rows.filter(({ t }) => [...(t ?? '')].length > 1).length],
  [
    'SELECT * FROM dataset WHERE "at" < TIMESTAMPTZ \'1970-01-01 05:00:00+05\'',
    (rows) => rows.filter(({ at }) => at !== null && at < 0).length
  ],
  [
    'SELECT id, count(*) FROM dataset GROUP BY id HAVING count(*) > 1',
    (rows) => [...Map.groupBy(rows, ({ id }) => id).values()].filter(({ length }) => length > 1).length
  ],
  ['SELECT count(*) FROM dataset HAVING count(*) = 0', (rows) => (rows.length === 0 ? 1 : 0)]
]

const asked: fc.Arbitrary<Omit<NaiveQuestion, 'holds'>> = fc.oneof(
  fc.constantFrom(...QUERIES).map(([query, answers]) => ({ type: 'sql' as const, config: { query }, answers })),
  timeColumn.map((name) => ({ type: 'freshness' as const, config: { column: name, maxAge: '1d' } })),
  fc
    .tuple(timeColumn, fc.uniqueArray(isoTime, { minLength: 1, maxLength: 4 }))
    .map(([name, values]) => ({ type: 'allowedValues' as const, config: { column: name, values } })),
  column.map((name) => ({ type: 'notNull' as const, config: { column: name } })),
  fc
    .subarray(['id', 't', 'x', 'at', 'ts', 'd'], { minLength: 1 })
    .map((columns) => ({ type: 'unique' as const, config: { columns } })),
  bounds.map((config) => ({ type: 'range' as const, config })),
  fc
    .uniqueArray(text, { minLength: 1, maxLength: 4 })
    .map((values) => ({ type: 'allowedValues' as const, config: { column: 't', values } })),
  fc
    .uniqueArray(finite, { minLength: 1, maxLength: 4 })
    .map((values) => ({ type: 'allowedValues' as const, config: { column: 'x', values } })),
  fc
    .constantFrom('^a', '.', '^$', '\\d', 'é', "'", '^[^a-z]+$')
    .map((pattern) => ({ type: 'regex' as const, config: { column: 't', pattern } })),
  fc.constant({ type: 'rowCount' as const, config: { min: 0 } }),
  fc.constant({ type: 'referential' as const, config: { column: 'id', to: { dataset: 'x', column: 'key' } } })
)

const wheres: readonly (readonly [string | undefined, NaiveQuestion['holds']])[] = [
  [undefined, () => true],
  ['id > 2', ({ id }) => id !== null && id > 2],
  ["t = 'a' OR t IS NULL", ({ t }) => t === 'a' || t === null],
  ['false', () => false],
  // For SQL, what is no number is greater than all that are.
  ['x > 0', ({ x }) => x !== null && !(x <= 0)],
  [' "X" >= 0.1 ', ({ x }) => x !== null && !(x < 0.1)],
  ['x < -1', ({ x }) => x !== null && x < -1],
  ['x<=0', ({ x }) => x !== null && x <= 0]
]

const question: fc.Arbitrary<NaiveQuestion> = fc
  .tuple(asked, fc.constantFrom(...wheres))
  .map(([question, [where, holds]]) => {
    // A query says itself which rows it is about.
    const isWhole = where === undefined || question.type === 'sql'
    const { config } = question
    return isWhole ? { ...question, holds: () => true } : { ...question, holds, config: { ...config, where } }
  })

/** Many rules about the same columns, which are counted together. */
const alike: fc.Arbitrary<NaiveQuestion[]> = fc
  .tuple(
    fc.array(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 5 }),
    fc.array(fc.tuple(fc.constantFrom(...wheres), fc.constantFrom('id', 't')), { minLength: 3, maxLength: 8 }),
    fc.array(bounds, { maxLength: 5 })
  )
  .map(([lists, conditions, ranges]) => [
    ...lists.map((values) => ({
      type: 'allowedValues' as const,
      config: { column: 't', values },
      holds: () => true
    })),
    ...conditions.map(([[where, holds], column]) => ({
      type: 'notNull' as const,
      config: { column, ...(where !== undefined && { where }) },
      holds
    })),
    ...ranges.map((config) => ({ type: 'range' as const, config, holds: () => true }))
  ])

const key = nullable(fc.integer({ min: 0, max: 5 }))

describe('rules in one statement', () => {
  let table: TestTable
  before(async () => {
    table = await TestTable.open()
  })
  after(() => table.close())

  it('come to what a naive evaluation of each comes to', async () => {
    const property = fc.asyncProperty(
      fc.array(row, { maxLength: 12 }),
      fc.array(key, { maxLength: 4 }),
      fc.oneof(fc.array(question, { minLength: 1, maxLength: 8 }), alike),
      async (rows, keys, questions) => {
        await table.fill(tableOf(rows))
        await table.fill(
          `SELECT unnest([${keys.map((one) => literal(one, 'BIGINT')).join(', ')}]::BIGINT[]) AS key`,
          'other'
        )
        const expected = questions.map((one) => askNaively(one, rows, keys))
        for (const dataset of ['object://b/rows.csv', 'object://b/rows.parquet']) {
          assert.deepEqual(await table.askAs(dataset, ...questions), expected, JSON.stringify(questions))
        }
      }
    )
    await fc.assert(property, { numRuns })
  })

  it('tell how old data are as somebody would who looks at each time', async () => {
    const age = fc.tuple(fc.integer({ min: 1, max: 96 }), fc.constantFrom('h', 'd'), fc.integer({ min: -96, max: 96 }))
    const property = fc.asyncProperty(
      fc.array(row, { maxLength: 6 }),
      timeColumn,
      age,
      async (rows, name, [count, unit, hours]) => {
        const question = { type: 'freshness' as const, config: { column: name, maxAge: `${count}${unit}` } }
        const nowMs = hours * 3_600_000
        await table.fill(tableOf(rows))
        const [counted] = await table.ask(question)
        const asked = { ...question, warnThreshold: null, failThreshold: null, on: [] }
        const { status, measured } = judge(asked, counted as Counted, nowMs)
        const ages = rows.flatMap((one) => {
          const ms = one[name]
          return ms === null || !Number.isFinite(ms) ? [] : [(nowMs - ms) / 1000]
        })
        const youngest = ages.length === 0 ? null : Math.min(...ages)
        const allowed = count * (unit === 'h' ? 3600 : 86_400)
        const isBelieved = youngest !== null && youngest >= -366 * 86_400 && youngest <= allowed
        const expected = youngest === null ? 'notEvaluated' : isBelieved ? 'passed' : 'failed'
        assert.deepEqual([status, measured], [expected, youngest])
      }
    )
    await fc.assert(property, { numRuns })
  })
})

const TYPES = { id: 'BIGINT', t: 'VARCHAR', x: 'DOUBLE', at: 'TIMESTAMPTZ', ts: 'TIMESTAMP', d: 'DATE' } as const

/** A table that may be empty, with its types. */
function tableOf(rows: readonly NaiveRow[]): string {
  const columns = Object.entries(TYPES) as [keyof NaiveRow, string][]
  const none = columns.map(([name, type]) => `NULL::${type} AS "${name}"`)
  const selects = rows.map((row) => columns.map(([name, type]) => literal(textOf(row[name], type), type)).join(', '))
  return [`SELECT ${none.join(', ')} WHERE false`, ...selects.map((list) => `SELECT ${list}`)].join(' UNION ALL ')
}

/** A value as SQL reads it. */
function textOf(value: string | number | null, type: string): string | number | null {
  if (typeof value !== 'number' || type === 'BIGINT') return value
  if (type === 'DOUBLE') return Object.is(value, -0) ? '-0.0' : value
  if (!Number.isFinite(value)) return value > 0 ? 'infinity' : '-infinity'
  const iso = new Date(value).toISOString()
  return type === 'TIMESTAMPTZ' ? iso : iso.replace('Z', '')
}
