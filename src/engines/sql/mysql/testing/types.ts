import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConnection } from 'mysql2/promise'
import type { SqlValue } from '../../index.ts'
import type { Given } from '../../testing/contract.ts'
import { freshName, readChunks, readRows, rowsOf } from '../../testing/under-test.ts'

/** Types that only MySQL has. */
export function typesOfMysql(given: Given): void {
  async function run(...statements: string[]): Promise<void> {
    const { host, port = 0, user = '', password = '', database } = given.server().settings
    const connection = await createConnection({ host, port, user, password, database })
    try {
      for (const statement of statements) await connection.query(statement)
    } finally {
      await connection.end()
    }
  }

  async function roundTrip(definition: string, value: SqlValue): Promise<SqlValue | undefined> {
    const table = freshName()
    await run(`create table ${table} (a ${definition})`)
    await given.database().write({ table, columns: [{ name: 'a', type: 'text' }], values: [[value]], rows: 1 })
    return (await readRows(given.database(), { table }))[0]?.[0]
  }

  test('types of its own come back as they were', async () => {
    for (const [definition, value] of [
      ['bigint unsigned', 2n ** 64n - 1n],
      ['int unsigned', 2n ** 32n - 1n],
      ['mediumint', -(2 ** 23)],
      ['float', Math.fround(0.1)],
      ['float', Math.fround(1e-38)],
      ['bit(12)', Buffer.from([0x0a, 0xbc])],
      ['time(6)', '-838:59:58.999999'],
      ['year', 2024],
      [`enum('a', 'b')`, 'b'],
      [`set('a', 'b')`, 'a,b'],
      ['binary(3)', Buffer.from([0, 255, 10])],
      ['varchar(9) character set latin1', 'äöü'],
      ['timestamp(6)', '2024-03-31 01:30:00.000001'],
      ['datetime', '0000-00-00 00:00:00.000000'],
      ['date', '0000-00-00'],
      ['datetime(6)', '9999-12-31 23:59:59.999999'],
      ['decimal(65,0)', '9'.repeat(65)]
    ] as const) {
      const found = await roundTrip(definition, value)
      assert.deepEqual(found instanceof Uint8Array ? Buffer.from(found) : found, value, definition)
    }
    assert.equal(await roundTrip('tinyint(1)', 5), true)
  })

  test('times are in UTC, whatever the zone of the server', async () => {
    const table = freshName()
    await run(`create table ${table} (a timestamp(6))`)
    const columns = [{ name: 'a', type: 'timestamptz' }] as const
    await given.database().write({ table, columns, values: [['2024-03-31 01:30:00.000001']], rows: 1 })
    const query = `select unix_timestamp(a), a from ${table}`
    assert.deepEqual(await readRows(given.database(), { query }), [['1711848600.000001', '2024-03-31 01:30:00.000001']])
  })

  test('what does not fit is refused rather than cut', async () => {
    for (const [definition, value] of [
      ['varchar(3)', 'abcd'],
      ['tinyint unsigned', -1],
      ['int', 2 ** 40],
      ['decimal(5,2)', '1000'],
      ['double', Number.NaN],
      ['double', Number.POSITIVE_INFINITY],
      ['date', '2024-02-30'],
      ['varchar(9) character set latin1', '漢'],
      [`enum('a')`, 'b'],
      ['int not null', null]
    ] as const) {
      await assert.rejects(roundTrip(definition, value), { code: 'bad_value', isAboutRows: true }, definition)
    }
  })

  test('reading goes on rightly in columns where a text would compare otherwise', async () => {
    for (const [definition, values] of [
      ['bigint unsigned', [2n ** 63n, 2n ** 63n + 1n, 2n ** 64n - 1n]],
      ['float', [0.1, 0.2, 0.3].map(Math.fround)],
      ['decimal(65,30)', ['1', '1.000000000000000000000000000001', '10']],
      ['datetime', ['0000-00-00 00:00:00', '2024-01-01 00:00:00', '2024-01-01 00:00:01']],
      ['date', ['0000-00-00', '2024-01-01', '2024-01-02']],
      ['time', ['-01:00:00', '02:00:00', '100:00:00']],
      ['int', [-2, 9, 10]],
      ['varchar(9) collate utf8mb4_general_ci', ['a', 'B', 'c']]
    ] as const) {
      const table = freshName()
      await run(`create table ${table} (a ${definition})`)
      const columns = [{ name: 'a', type: 'text' }] as const
      // Each value twice, the copies after all originals.
      await given.database().write({ table, columns, values: [[...values, ...values]], rows: 6 })
      let after: string | null = null
      const seen: number[] = []
      // For a bare column the server may guess the type; for an expression it can't.
      const query = `select ${/int|decimal/.test(definition) ? 'a + 0' : 'a'} as a from ${table}`
      for (let i = 0; i < 4; i++) {
        const chunks = await readChunks(given.database(), { query, cursor: { column: 'a', after }, limit: 1 })
        seen.push(chunks.flatMap(rowsOf).length)
        after = chunks.at(-1)?.position ?? after
      }
      assert.deepEqual(seen, [2, 2, 2, 0], definition)
    }
  })

  test('a query can change nothing by way of a function', async () => {
    const table = freshName()
    await run(
      `create table ${table} (n int)`,
      `create function ${table}() returns int begin insert into ${table} values (1); return 1; end`
    )
    await assert.rejects(readRows(given.database(), { query: `select ${table}()` }), { code: 'denied' })
  })

  test('columns without such an order are refused', async () => {
    const table = freshName()
    await run(`create table ${table} (a enum('b', 'a'), b blob)`)
    for (const column of ['a', 'b']) {
      const cursor = { column, after: null }
      await assert.rejects(readRows(given.database(), { table, cursor }), { code: 'invalid_query' })
    }
  })
}
