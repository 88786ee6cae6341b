import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Given } from '../../testing/contract.ts'
import { freshName, open, readRows } from '../../testing/under-test.ts'

/** Types that only PostgreSQL has. */
export function typesOfPostgres(given: Given): void {
  async function run(sql: string): Promise<void> {
    const client = new pg.Client(given.server().settings)
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }

  test('types that have no likeness come as PostgreSQL prints them, in UTC', async () => {
    const query = `select '2024-03-31 02:30:00.5+02'::timestamptz, timestamptz 'infinity', date '0044-03-15 BC',
      'NaN'::numeric, '{a,"b c",NULL}'::text[], interval '1 day 2 hours', '00112233-4455-6677-8899-aabbccddeeff'::uuid,
      18446744073709551615::numeric, 4294967295::oid, 0.1::real, '{"b": 1, "a": [2]}'::json`
    assert.deepEqual(await readRows(given.database(), { query }), [
      [
        '2024-03-31 00:30:00.500000',
        'infinity',
        '0044-03-15 BC',
        'NaN',
        '{a,"b c",NULL}',
        '1 day 02:00:00',
        '00112233-4455-6677-8899-aabbccddeeff',
        '18446744073709551615',
        4_294_967_295n,
        0.1,
        '{"b": 1, "a": [2]}'
      ]
    ])
  })

  test('values take the form of the column, and what does not fit is refused rather than cut', async () => {
    const table = freshName()
    await run(`create type ${table}_mood as enum ('sad', 'glad');
      create domain ${table}_positive as int check (value > 0);
      create table ${table} (n int primary key, short varchar(3), fixed char(4), price numeric(5,2), mood ${table}_mood,
        list int[], positive ${table}_positive, flag boolean, small smallint,
        at timestamptz(3) not null default now())`)
    const names = ['n', 'short', 'fixed', 'price', 'mood', 'list', 'positive', 'flag', 'small']
    const columns = names.map((name) => ({ name, type: 'text' as const }))
    const write = (...row: (string | boolean | number)[]) =>
      given.database().write({ table, columns, values: row.map((value) => [value]), rows: 1 })
    await write(1, 'abc', 'ab', '1.005', 'glad', '{1,2}', 5, 1, true)
    const query = `select ${names.join(', ')} from ${table}`
    assert.deepEqual(await readRows(given.database(), { query }), [
      [1, 'abc', 'ab  ', '1.01', 'glad', '{1,2}', 5, true, 1]
    ])
    for (const row of [
      [2, 'abcd', 'ab', '1', 'glad', '{}', 5, true, 1],
      [2, 'abc', 'abcde', '1', 'glad', '{}', 5, true, 1],
      [2, 'abc', 'ab', '1000', 'glad', '{}', 5, true, 1],
      [2, 'abc', 'ab', '1', 'furious', '{}', 5, true, 1],
      [2, 'abc', 'ab', '1', 'glad', '{}', -5, true, 1],
      [2, 'a\0', 'ab', '1', 'glad', '{}', 5, true, 1]
    ]) {
      await assert.rejects(write(...row), { code: 'bad_value', isAboutRows: true })
    }
    const at = { table, columns: [{ name: 'at', type: 'timestamptz' as const }], values: [[null]], rows: 1 }
    await assert.rejects(given.database().write(at), { code: 'bad_value' })
  })

  test('keys that are the same number in other digits are one key', async () => {
    const table = freshName()
    await run(`create table ${table} (k numeric(6,2), at timestamp(0), v int, unique (k, at))`)
    await given.database().write({
      table,
      columns: [
        { name: 'k', type: 'decimal' },
        { name: 'at', type: 'timestamp' },
        { name: 'v', type: 'integer' }
      ],
      values: [['1', '1.00', '1.001'], Array(3).fill('2024-01-01 00:00:00.1'), [1, 2, 3]],
      rows: 3,
      keys: ['k', 'at']
    })
    assert.deepEqual(await readRows(given.database(), { query: `select v from ${table}` }), [[3]])
  })

  test('a query can change nothing by way of a function', async () => {
    const table = freshName()
    await run(`create table ${table} (n int);
      create function ${table}() returns int language sql as 'insert into ${table} values (1) returning n'`)
    await assert.rejects(readRows(given.database(), { query: `select ${table}()` }), { code: 'denied' })
  })

  test('a user without rights is told so', async () => {
    const table = freshName()
    await run(`create table ${table} (n int); create role ${table} login password 'x'`)
    const database = await open(given.server().settings, { user: table, password: 'x' })
    await assert.rejects(readRows(database, { table }), { code: 'denied', isTransient: false })
    const columns = [{ name: 'n', type: 'integer' }] as const
    await assert.rejects(database.write({ table, columns, values: [[1]], rows: 1 }), { code: 'denied' })
    await database.close()
  })

  test('schemas are named before the dot, and names with dots in quotes', async () => {
    await run('create schema "my.schema"; create table "my.schema"."a.b" (n int)')
    const columns = [{ name: 'n', type: 'integer' }] as const
    assert.equal(await given.database().write({ table: '"my.schema"."a.b"', columns, values: [[7]], rows: 1 }), 1)
    assert.deepEqual(await readRows(given.database(), { table: '"my.schema"."a.b"' }), [[7]])
  })
}
