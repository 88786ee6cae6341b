// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { literal, type Question, TestTable } from '../testing/table.ts'
import { type Judgement, judge } from './judge.ts'

const NOW = Date.UTC(2026, 0, 10)
const UNSAID = { warnThreshold: null, failThreshold: null, on: [] }

/** One row of each kind of trouble; what comes of it is computed by hand. */
const ROWS = `SELECT * FROM (VALUES
  (1, 'a',   1.5::DOUBLE,   10::BIGINT,   TIMESTAMP '2026-01-01', TIMESTAMPTZ '2026-01-01 00:00:00+02', DATE '2026-01-01', true),
  (2, 'b',   'nan',         20,           TIMESTAMP '2026-01-02', TIMESTAMPTZ '2026-01-02 00:00:00+00', DATE '2026-01-02', false),
  (2, '',    'inf',         NULL,         TIMESTAMP 'infinity',   NULL,                                 DATE 'infinity',   NULL),
  (3, NULL,  '-inf',        9007199254740993, NULL,               TIMESTAMPTZ '2026-01-03 00:00:00+00', NULL,              true),
  (4, 'é',   -0.0,          -5,           TIMESTAMP '2026-01-09', TIMESTAMPTZ '2026-01-09 12:00:00-12', DATE '2026-01-09', true),
  (4, 'e\u0301', NULL,      0,            TIMESTAMP '2026-01-05', TIMESTAMPTZ '2026-01-05 00:00:00+00', DATE '2026-01-05', true)
) t(id, t, x, n, "at", atz, d, b)`

type Expected = readonly [rule: Question, checked: number, failed: number]

const COUNTS: readonly Expected[] = [
  [{ type: 'notNull', config: { column: 't' } }, 6, 1],
  [{ type: 'notNull', config: { column: 'T', where: 'id > 2' } }, 3, 1],
  [{ type: 'notNull', config: { column: 'x' } }, 6, 1],
  [{ type: 'unique', config: { columns: ['id'] } }, 6, 4],
  [{ type: 'unique', config: { columns: ['id', 't'] } }, 5, 0],
  [{ type: 'unique', config: { columns: ['id'], where: "t <> 'b'" } }, 4, 2],
  // The two ways to write é are two texts: nothing is normalised.
  [{ type: 'unique', config: { columns: ['t'] } }, 5, 0],
  // What is no number is in no range; the infinities lie beyond every bound, and −0 is 0.
  [{ type: 'range', config: { column: 'x', min: 0 } }, 5, 2],
  [{ type: 'range', config: { column: 'x', max: 1.5 } }, 5, 2],
  [{ type: 'range', config: { column: 'x', min: 0, max: 1e300 } }, 5, 3],
  [{ type: 'range', config: { column: 'n', min: -5, max: 20 } }, 5, 1],
  [{ type: 'range', config: { column: 'n', min: -4.5 } }, 5, 1],
  [{ type: 'range', config: { column: 'at', min: '2026-01-02', max: '2026-01-05T00:00:00Z' } }, 5, 3],
  // The same moment in another zone.
  [{ type: 'range', config: { column: 'atz', min: '2026-01-01T00:00:00+02:00' } }, 5, 0],
  [{ type: 'range', config: { column: 'atz', max: '2026-01-05T01:00:00+01:00' } }, 5, 1],
  [{ type: 'range', config: { column: 'd', max: '2026-01-05' } }, 5, 2],
  [{ type: 'allowedValues', config: { column: 't', values: ['a', 'b', 'é'] } }, 5, 2],
  [{ type: 'allowedValues', config: { column: 'n', values: [10, 20, 0] } }, 5, 2],
  [{ type: 'allowedValues', config: { column: 'x', values: [0, 1.5] } }, 5, 3],
  [{ type: 'allowedValues', config: { column: 'b', values: [true] } }, 5, 1],
  [{ type: 'allowedValues', config: { column: 'd', values: ['2026-01-01', '2026-01-02'] } }, 5, 3],
  [{ type: 'regex', config: { column: 't', pattern: '^[a-z]$' } }, 5, 3],
  [{ type: 'regex', config: { column: 't', pattern: "^$|'|é" } }, 5, 3],
  [{ type: 'regex', config: { column: 'n', pattern: '^-?\\d{1,2}$' } }, 5, 1],
  [{ type: 'rowCount', config: { min: 1 } }, 6, 0],
  [{ type: 'rowCount', config: { min: 1, where: 'x IS NULL -- no bracket )' } }, 1, 0],
  [{ type: 'referential', config: { column: 'id', to: { dataset: 'x', column: 'key' } } }, 6, 3],
  [{ type: 'referential', config: { column: 'id', to: { dataset: 'x', column: 'key' }, where: 'b' } }, 4, 3],
  [{ type: 'sql', config: { query: 'SELECT * FROM dataset WHERE x > 1; ' } }, 6, 3],
  [
    { type: 'sql', config: { query: 'SELECT id, count(*) FROM dataset GROUP BY id HAVING count(*) > 1 -- twice' } },
    6,
    2
  ]
]

describe('each type of rule', () => {
  let table: TestTable
  before(async () => {
    table = await TestTable.open()
    await table.fill(ROWS)
    await table.fill('SELECT * FROM (VALUES (1), (2), (NULL), (7)) k(key)', 'other')
  })
  after(() => table.close())

  it('counts what was counted by hand, alone and together with all others', async () => {
    const together = await table.ask(...COUNTS.map(([rule]) => rule))
    for (const [at, [rule, checked, failed]] of COUNTS.entries()) {
      const [alone] = await table.ask(rule)
      assert.deepEqual([alone?.checked, alone?.failed], [checked, failed], JSON.stringify(rule))
      assert.deepEqual(together[at], alone, JSON.stringify(rule))
    }
  })

  it('reads texts as what the bounds are, and those that can’t be read are outside', async () => {
    const texts = await TestTable.open()
    const values = ['12.5', ' 7 ', '1e3', '12,5', 'n/a', '', 'nan', '-1', null]
    const times = [
      '2026-01-01',
      '2026-01-01T12:00:00+02:00',
      '01.01.2026',
      '2026-02-30',
      '2027-01-01',
      '',
      null,
      null,
      null
    ]
    const row = (at: number) => `(${literal(values[at] ?? null, 'VARCHAR')}, ${literal(times[at] ?? null, 'VARCHAR')})`
    await texts.fill(`SELECT * FROM (VALUES ${values.map((_, at) => row(at)).join(', ')}) v(n, day)`)
    const ask = async (config: object) => (await texts.ask({ type: 'range', config }))[0]
    assert.deepEqual(await ask({ column: 'n', min: 0 }), { checked: 8, failed: 5, value: null })
    assert.deepEqual(await ask({ column: 'n', min: 0, max: 100 }), { checked: 8, failed: 6, value: null })
    assert.deepEqual(await ask({ column: 'day', max: '2026-12-31' }), { checked: 6, failed: 4, value: null })
    texts.close()
  })

  it('looks for no text in times, which are written otherwise than they are shown', () => {
    for (const column of ['at', 'atz']) {
      const asked = () => table.compile({ type: 'regex', config: { column, pattern: 'Z$' } })
      assert.throws(asked, { code: 'wrong_type', message: /regex is about texts: ask times with range or freshness/ })
    }
    assert.ok(table.compile({ type: 'regex', config: { column: 'd', pattern: '^2026' } }))
  })

  it('means the very number that it names', async () => {
    // Read as decimals, these would be the numbers beside them.
    const values = [0.10674343906644235, 0.9199403196694057, 1.9812985167308839]
    const numbers = await TestTable.open()
    await numbers.fill(`SELECT unnest([${values.map((value) => `'${value}'`).join(', ')}]::DOUBLE[]) AS x`)
    const [answer] = await numbers.ask({ type: 'allowedValues', config: { column: 'x', values } })
    numbers.close()
    assert.deepEqual([answer?.checked, answer?.failed], [3, 0])
  })

  it('has a query that finds exactly the rows that were counted', async () => {
    for (const [rule, , failed] of COUNTS) {
      const { failing } = table.compile(rule)
      if (failing === undefined) continue
      assert.equal((await table.rows(failing)).length, failed, JSON.stringify(rule))
    }
  })

  const judged = async (rule: Question, more: object = {}): Promise<Judgement> =>
    judge({ ...rule, ...UNSAID, ...more }, (await table.ask(rule))[0] as never, NOW)

  it('is about how long ago the newest time is, and infinity is none', async () => {
    for (const [column, days] of [
      ['at', 1],
      ['atz', 0],
      ['d', 1]
    ] as const) {
      const fresh = await judged({ type: 'freshness', config: { column, maxAge: '1d' } })
      assert.deepEqual([fresh.status, fresh.measured, fresh.unit], ['passed', days * 86_400, 'seconds'], column)
    }
    const old = await judged({ type: 'freshness', config: { column: 'at', maxAge: '23h' } })
    assert.deepEqual([old.status, old.threshold, old.reason?.code], ['failed', 82_800, 'too_old'])
    const where = await judged({ type: 'freshness', config: { column: 'at', maxAge: '23h', where: 'id = 1' } })
    assert.equal(where.measured, 9 * 86_400)
    const rule = { type: 'freshness', config: { column: 'at', maxAge: '1d' }, ...UNSAID } as const
    const ahead = judge(rule, { checked: 1, failed: 0, value: Date.UTC(9999, 11, 31) * 1000 }, NOW)
    assert.deepEqual([ahead.status, ahead.reason?.code], ['failed', 'ahead'])
    const none = await judged({ type: 'freshness', config: { column: 'at', maxAge: '1h', where: 'id = 3' } })
    assert.deepEqual([none.status, none.reason?.code], ['notEvaluated', 'no_rows'])
  })

  it('is measured by thresholds, as rows or as a percentage', async () => {
    const rule: Question = { type: 'unique', config: { columns: ['id'] } }
    const status = async (more: object) => {
      const { status, measured, threshold, unit } = await judged(rule, more)
      return [status, measured, threshold, unit]
    }
    assert.deepEqual(await status({}), ['failed', 4, 0, 'rows'])
    assert.deepEqual(await status({ failThreshold: 4 }), ['passed', 4, 4, 'rows'])
    assert.deepEqual(await status({ failThreshold: 4, warnThreshold: 3 }), ['warned', 4, 3, 'rows'])
    assert.deepEqual(await status({ warnThreshold: 3 }), ['warned', 4, 3, 'rows'])
    assert.deepEqual(await status({ failThreshold: '70%' }), ['passed', 400 / 6, 70, 'percent'])
    assert.deepEqual(await status({ failThreshold: '66.6%' }), ['failed', 400 / 6, 66.6, 'percent'])
  })

  it('says of no rows that it was not asked, unless it is about how many there are', async () => {
    const none = { where: 'false' }
    const rules: Question[] = [
      { type: 'notNull', config: { column: 't', ...none } },
      { type: 'unique', config: { columns: ['id'], ...none } },
      { type: 'range', config: { column: 'x', min: 0, where: 'x IS NULL' } },
      { type: 'referential', config: { column: 'id', to: { dataset: 'x', column: 'key' }, ...none } }
    ]
    for (const rule of rules) {
      const { status, reason } = await judged(rule)
      assert.deepEqual([status, reason?.code], ['notEvaluated', 'no_rows'], rule.type)
    }
    assert.equal((await judged({ type: 'rowCount', config: { min: 1, ...none } })).status, 'failed')
    assert.equal((await judged({ type: 'rowCount', config: { max: 0, ...none } })).status, 'passed')
    assert.equal(
      (await judged({ type: 'rowCount', config: { min: 1, max: 5 } })).reason?.message,
      'There are 6 rows; at most 5 are expected.'
    )
  })

  it('refuses columns of which it can’t be asked', () => {
    const faults: [Question, RegExp][] = [
      [{ type: 'notNull', config: { column: 'atx' } }, /There is no column atx; there is at\./],
      [{ type: 'range', config: { column: 'b', min: 1 } }, /b is BOOLEAN; range is about numbers, times and texts/],
      [{ type: 'range', config: { column: 'at', min: 1 } }, /at is TIMESTAMP; the bounds must be times/],
      [{ type: 'range', config: { column: 'n', max: '2026-01-01' } }, /n is BIGINT; the bounds must be numbers/],
      [{ type: 'allowedValues', config: { column: 'n', values: [1, 'x'] } }, /n is BIGINT; the values must be numbers/],
      [{ type: 'freshness', config: { column: 'n', maxAge: '1d' } }, /n is BIGINT; freshness is about times/]
    ]
    for (const [rule, message] of faults) assert.throws(() => table.compile(rule), message)
  })
})
