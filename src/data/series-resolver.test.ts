import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { openTestPlane, type TestPlane } from './testing/plane.ts'

const COLUMNS = [
  { name: 'tag', type: 'VARCHAR' },
  { name: 'time', type: 'TIMESTAMP_NS' },
  { name: 'value', type: 'DOUBLE' },
  { name: 'text', type: 'VARCHAR' },
  { name: 'quality', type: 'UTINYINT' }
]

const NUMBERS = `SELECT * FROM (VALUES ('a', '2026-01-01 00:00:00.000000001'::TIMESTAMP_NS, 1.5::DOUBLE),
  ('it''s', '2026-01-01 00:00:01'::TIMESTAMP_NS, 2.5::DOUBLE)) t(tag, time, value)`
const TEXTS = `SELECT 'a' AS tag, '2026-01-02'::TIMESTAMP_NS AS time, NULL::DOUBLE AS value, 'on' AS text,
  2::UTINYINT AS quality`

describe('a series reference', () => {
  let test: TestPlane

  before(async () => {
    test = await openTestPlane()
    const connection = await (await DuckDBInstance.create()).connect()
    const [numbers, texts] = [join(test.folder, 'numbers.parquet'), join(test.folder, "it's.parquet")]
    await connection.run(`COPY (${NUMBERS}) TO '${numbers}'`)
    await connection.run(`COPY (${TEXTS}) TO '${texts.replaceAll("'", "''")}'`)
    connection.closeSync()
    test.sources.set('empty', []).set('numbers', [numbers]).set('both', [numbers, texts])
  })
  after(() => test.close())

  it('has the same columns whatever the files lack', async () => {
    assert.deepEqual(await test.plane.describe('series://empty'), COLUMNS)
    assert.deepEqual(await test.plane.describe('series://numbers'), COLUMNS)
  })

  it('reads all points, exact to the nanosecond', async () => {
    assert.deepEqual(await test.rows('FROM s ORDER BY time', { s: 'series://both' }), [
      ['a', '2026-01-01T00:00:00.000000001Z', 1.5, null, 0],
      ["it's", '2026-01-01T00:00:01.000Z', 2.5, null, 0],
      ['a', '2026-01-02T00:00:00.000Z', null, 'on', 2]
    ])
  })

  it('reads one tag', async () => {
    const relations = { s: "series://both/it's", none: 'series://both/none', empty: 'series://empty/a' }
    const sql = 'SELECT value, (SELECT count(*) FROM none), (SELECT count(*) FROM empty) FROM s'
    assert.deepEqual(await test.rows(sql, relations), [[2.5, 0, 0]])
  })

  it('compares with parameters and with the time it is', async () => {
    const sql = 'SELECT value FROM s WHERE time >= $from AND time < $to AND time < now()::TIMESTAMP'
    const parameters = { from: '2026-01-01T00:00:01Z', to: '2026-01-01T00:00:02Z' }
    assert.deepEqual(await test.rows(sql, { s: 'series://numbers' }, parameters), [[2.5]])
  })

  it('is given back, also after an error', async () => {
    test.released.length = 0
    await assert.rejects(test.rows('SELECT nothing FROM s', { s: 'series://both' }), { code: 'sql_error' })
    await assert.rejects(test.rows('FROM s', { s: 'series://both', t: 'object://b/none' }), { code: 'nothing_matches' })
    assert.deepEqual(test.released, ['both', 'both'])
  })

  it('is refused where there is no such source', async () => {
    await assert.rejects(test.rows('FROM s', { s: 'series://none' }), { code: 'not_found', message: /none/ })
  })
})
