// Once: SQL that DuckDB reads.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Condition } from '../wish.ts'
import { openDatabase, parse } from './session.ts'
import { wishesOf } from './wishes.ts'

const COLUMNS = ['id', 'at', 'name', 'v']

describe('what a statement needs of a relation', () => {
  let connection: DuckDBConnection
  before(async () => {
    connection = await openDatabase()
  })
  after(() => connection.closeSync())

  async function wish(sql: string) {
    const { names, where, limit } = wishesOf(await parse(connection, sql), ['t']).t ?? assert.fail()
    const columns = names === null ? 'all' : COLUMNS.filter((name) => names.includes(name)).join()
    return [columns, where.map(inWords).join(' and '), limit]
  }
  const inWords = ({ column, is, values }: Condition) =>
    [column, is, ...values.map((value) => ('number' in value ? value.number : `'${value.text}'`))].join(' ')

  const CASES: readonly (readonly [sql: string, columns: string, where: string, limit: number | null])[] = [
    ['SELECT * FROM t', 'all', '', null],
    ['FROM t LIMIT 0', 'all', '', 0],
    ['SELECT id, t.name FROM t LIMIT 10 OFFSET 5', 'id,name', '', 15],
    ['SELECT ID FROM T x WHERE x.V > 7 LIMIT 3', 'id,v', 'V > 7', 3],
    [
      `SELECT id FROM t WHERE 5 <= id AND name IN ('a', 'b') AND v IS NOT NULL`,
      'id,name,v',
      `id >= 5 and name in 'a' 'b' and v not null`,
      null
    ],
    [
      `SELECT id FROM t WHERE "at" BETWEEN DATE '2026-01-01' AND TIMESTAMP '2026-02-01'`,
      'id,at',
      `at >= '2026-01-01' and at <= '2026-02-01'`,
      null
    ],
    ['SELECT id FROM t WHERE v > 5 OR id = 1 LIMIT 3', 'id,v', '', null],
    ['SELECT id FROM t WHERE v > 0.5 AND id = 1 LIMIT 3', 'id,v', 'id = 1', null],
    ['SELECT id FROM t WHERE v > id LIMIT 3', 'id,v', '', null],
    ['SELECT id FROM t ORDER BY v LIMIT 3', 'id,v', '', null],
    ['SELECT DISTINCT id FROM t LIMIT 3', 'id', '', null],
    ['SELECT count(*) FROM t LIMIT 3', '', '', null],
    ['SELECT max(v) FROM t WHERE id = 3', 'id,v', 'id = 3', null],
    ['SELECT id FROM t GROUP BY id LIMIT 3', 'id', '', null],
    ['SELECT id FROM t GROUP BY ALL LIMIT 3', 'id', '', null],
    ['SELECT id, row_number() OVER () FROM t LIMIT 3', 'id', '', null],
    ['SELECT t FROM t', 'all', '', null],
    ['SELECT COLUMNS(*) FROM t', 'all', '', null],
    ['SELECT a.id FROM t a JOIN t b USING (v) WHERE a.id = 1', 'id,v', '', null],
    ['SELECT id FROM t NATURAL JOIN other WHERE id = 1', 'all', '', null],
    ['SELECT id FROM t LEFT JOIN other ON other.k = t.v WHERE id = 1 LIMIT 2', 'id,v', '', null],
    ['WITH t AS (SELECT 1 AS id) SELECT id FROM t', 'all', '', null],
    ['SELECT n FROM (SELECT id AS n FROM t WHERE v = 1) WHERE n > 5', 'id,v', 'v = 1', null],
    ['SELECT (SELECT id FROM t WHERE t.v = o.v LIMIT 1) FROM other o', 'id,v', '', null],
    ['SELECT id FROM t USING SAMPLE 10%', 'id', '', null],
    ['SELECT id FROM t WHERE id = 1 UNION ALL SELECT v FROM t', 'id,v', '', null],
    ['DESCRIBE t', 'all', '', null],
    ['SUMMARIZE t', 'all', '', null],
    ['PIVOT t ON name USING sum(v)', 'all', '', null]
  ]
  for (const [sql, ...expected] of CASES) it(sql, async () => assert.deepEqual(await wish(sql), expected))

  it('is told by the times among its parameters', async () => {
    const where = async (sql: string, parameters: Parameters<typeof wishesOf>[2]) =>
      (wishesOf(await parse(connection, sql), ['t'], parameters).t?.where ?? []).map(inWords).join(' and ')
    const named = { due_at: '2026-01-02T00:00:00Z', shop: 'north', most: 7 }
    assert.equal(
      await where('SELECT id FROM t WHERE "at" < $Due_at AND name = $shop AND v < $most', named),
      `at < '2026-01-02T00:00:00Z'`
    )
    assert.equal(await where('SELECT id FROM t WHERE v = $1 AND "at" >= $2', [1, '2026-01-01']), `at >= '2026-01-01'`)
    assert.equal(await where('SELECT id FROM t WHERE "at" >= ?', []), '')
  })
})
