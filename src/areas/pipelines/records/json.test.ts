import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { columnsOf } from '../duckdb/columns.ts'
import { recordJson } from './json.ts'

describe('recordJson', () => {
  let database: DuckDBConnection

  before(async () => {
    database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
    await database.run("SET TimeZone = 'UTC'")
  })
  after(() => database.closeSync())

  const jsonOf = async (value: string) => {
    const sql = `SELECT ${value} AS "a b"`
    const flow = { sql, columns: await columnsOf(database, sql), rows: 1 }
    return JSON.parse(String((await database.runAndReadAll(recordJson(flow))).value(0, 0)))['a b']
  }

  const CASES: [sql: string, json: unknown][] = [
    ["TIMESTAMP '2026-03-09 13:00:00'", '2026-03-09T13:00:00Z'],
    ["TIMESTAMP '2026-03-09 13:00:00.25'", '2026-03-09T13:00:00.25Z'],
    ["TIMESTAMPTZ '2026-03-09 13:00:00+02:00'", '2026-03-09T11:00:00Z'],
    ["TIMESTAMP_NS '2026-03-09 13:00:00.123456789'", '2026-03-09T13:00:00.123456789Z'],
    ["TIMESTAMP_S '2026-03-09 13:00:00'", '2026-03-09T13:00:00Z'],
    ["TIMESTAMP 'infinity'", 'infinity'],
    ['NULL::TIMESTAMP', null],
    ["DATE '2026-03-09'", '2026-03-09'],
    ["TIME '13:00:00'", '13:00:00'],
    ["'2026-03-09 13:00:00'", '2026-03-09 13:00:00'],
    ["[TIMESTAMP '2026-03-09 13:00:00', NULL]", ['2026-03-09T13:00:00Z', null]],
    ["[[TIMESTAMP '2026-03-09 13:00:00']]", [['2026-03-09T13:00:00Z']]],
    [
      `{'at, it': TIMESTAMP '2026-03-09 13:00:00', 'n': 1, 'x': [{'t': TIMESTAMP '2026-03-09 13:00:00', 'd': 1.5::DECIMAL(4, 1)}]}`,
      { 'at, it': '2026-03-09T13:00:00Z', n: 1, x: [{ t: '2026-03-09T13:00:00Z', d: 1.5 }] }
    ],
    ['NULL::STRUCT(t TIMESTAMP)', null]
  ]

  for (const [sql, json] of CASES) it(`writes ${sql}`, async () => assert.deepEqual(await jsonOf(sql), json))
})
