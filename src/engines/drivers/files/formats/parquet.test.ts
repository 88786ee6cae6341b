import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { memoryPlace, openFiles, recordsOf, streamOf } from '../testing/memory-place.ts'

/** What is written, the type that its column has, and what is read. */
const TYPES: readonly (readonly [sql: string, type: string, value: unknown])[] = [
  ['true', 'boolean', true],
  ['(-128)::TINYINT', 'integer', -128],
  ['255::UTINYINT', 'integer', 255],
  ['(-32768)::SMALLINT', 'integer', -32768],
  ['65535::USMALLINT', 'integer', 65535],
  ['(-2147483648)::INTEGER', 'integer', -2147483648],
  ['4294967295::UINTEGER', 'bigint', 4294967295n],
  ['(-9223372036854775808)::BIGINT', 'bigint', -9223372036854775808n],
  ['18446744073709551615::UBIGINT', 'bigint', 18446744073709551615n],
  ['1.5::FLOAT', 'double', 1.5],
  ['0.1::DOUBLE', 'double', 0.1],
  ['12345678901234567890.1234::DECIMAL(30, 4)', 'decimal', '12345678901234567890.1234'],
  ["'ünïcode 😀'", 'text', 'ünïcode 😀'],
  ["'\\x00\\xFF'::BLOB", 'blob', Buffer.from([0, 255])],
  ["DATE '2026-02-28'", 'date', '2026-02-28'],
  ["TIMESTAMP '2026-02-28 01:02:03.456789'", 'timestamp', '2026-02-28 01:02:03.456789'],
  ["'2026-02-28 01:02:03.123456789'::TIMESTAMP_NS", 'timestamp', '2026-02-28 01:02:03.123456789'],
  ["'2026-02-28 01:02:03+02'::TIMESTAMPTZ", 'timestamptz', '2026-02-27 23:02:03.000000'],
  ["TIME '01:02:03'", 'text', '01:02:03'],
  ["'00000000-0000-0000-0000-000000000001'::UUID", 'text', '00000000-0000-0000-0000-000000000001'],
  ["'a'::ENUM ('a', 'b')", 'text', 'a'],
  ["{'a': [1, NULL]}", 'json', '{"a":[1,null]}'],
  ['[[1], []]', 'json', '[[1],[]]'],
  ["MAP {'k': 1}", 'json', '{"k":1}'],
  ['NULL::INTEGER', 'integer', null]
]

describe('Parquet in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-parquet-'))
  let instance: DuckDBInstance
  let database: DuckDBConnection
  before(async () => {
    instance = await DuckDBInstance.create(':memory:')
    database = await instance.connect()
  })
  after(() => {
    database.closeSync()
    instance.closeSync()
    rmSync(folder, { recursive: true })
  })

  async function fileOf(select: string) {
    const path = join(folder, 'made.parquet')
    await database.run(`COPY (${select}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`)
    return memoryPlace([{ path: 'made.parquet', modifiedMs: 1000, content: readFileSync(path) }])
  }

  it('reads every type back as it was written', async () => {
    await database.run("SET TimeZone = 'UTC'")
    const source = openFiles(await fileOf(`SELECT ${TYPES.map(([sql], i) => `${sql} AS c${i}`).join(', ')}`))
    const { columns } = await streamOf(source)
    const { records } = await recordsOf(source)
    await source.close()
    for (const [i, [sql, type, value]] of TYPES.entries()) {
      assert.equal(columns[i]?.type, type, sql)
      const found = records[0]?.[`c${i}`]
      assert.deepEqual(found instanceof Uint8Array ? Buffer.from(found) : found, value, sql)
    }
  })

  it('goes on at a row', async () => {
    const place = await fileOf('SELECT range AS id, \'x\' AS "odd ""name" FROM range(25000)')
    let after: string | null = null
    const ids: unknown[] = []
    for (const limit of [1, 9999, 12_000, 5000]) {
      const source = openFiles(place)
      const { records, position } = await recordsOf(source, { after, limit })
      await source.close()
      ids.push(...records.map(({ id }) => Number(id)))
      after = position
    }
    assert.deepEqual(
      ids,
      Array.from({ length: 25_000 }, (_, i) => i)
    )
  })
})
