import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { openTestPlane, type TestPlane } from '../testing/plane.ts'
import type { SqlParameter } from './messages.ts'

describe('parameters of SQL', () => {
  let test: TestPlane
  before(async () => {
    test = await openTestPlane()
    await test.put('lines.csv', 'line\na\nb\nc\n')
  })
  after(() => test.close())

  const relations = { input: 'object://b/lines.csv' }
  const ask = (sql: string, parameters: Record<string, SqlParameter>) => test.rows(sql, relations, parameters)
  const offer = async (sql: string, parameters: Record<string, SqlParameter>) =>
    (await test.plane.query({ sql, relations, parameters, isOffer: true })).rows()

  it('may be a list of texts, also an empty one', async () => {
    const sql = 'SELECT line FROM input WHERE line = any($lines) ORDER BY line'
    assert.deepEqual(await ask(sql, { lines: ['c', 'a', 'x'] }), [['a'], ['c']])
    assert.deepEqual(await ask(sql, { lines: [] }), [])
  })

  it('may be a time, whatever it is compared with', async () => {
    const at = { timestamp: '2026-03-01T12:30:00.000Z' }
    const sql = `SELECT date_trunc('hour', $at), $at < timestamptz '2026-03-01 12:31:00+00',
      $at > date '2026-03-01', $at = '2026-03-01 12:30:00'::timestamp_ns`
    assert.deepEqual(await ask(sql, { at }), [['2026-03-01T12:00:00.000Z', true, true, true]])
  })

  it('need not be named by the SQL where they are offered, and are found in any spelling', async () => {
    assert.deepEqual(await offer('SELECT $Line', { line: 'a', other: 'b', more: ['c'] }), [['a']])
    assert.deepEqual(await ask('SELECT $Line', { line: 'a' }), [['a']])
    await assert.rejects(ask("SELECT '$line'", { line: 'a' }), { code: 'sql_error', message: /does not name .*\$line/ })
    await assert.rejects(ask('SELECT $nobody', { line: 'a' }), {
      code: 'sql_error',
      message: 'The SQL has a parameter $nobody that has no value; there is $line.'
    })
  })

  it('only compare, whatever text they are', async () => {
    const hostile = [
      "'); DROP VIEW input; --",
      "' OR '1'='1",
      '"',
      '\\',
      '$line',
      '%',
      '\u202e',
      '\0',
      'a\0',
      '𝕬',
      '{"a":1}'
    ]
    const texts = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme', maxLength: 20 }))
    const values = fc.sample(texts, { numRuns: 60, seed: 1 })
    const sql = 'SELECT $value = $same, list_contains($list, $value), (SELECT count(*) FROM input WHERE line = $value)'
    for (const value of [...hostile, ...values]) {
      const rows = await ask(sql, { value, same: value, list: [value] })
      assert.deepEqual(rows, [[true, true, ['a', 'b', 'c'].includes(value) ? 1 : 0]], JSON.stringify(value))
      if (values.indexOf(value) > 12) break
    }
  })
})
