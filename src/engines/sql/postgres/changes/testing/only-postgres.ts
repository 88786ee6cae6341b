import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../../../../test/support/eventually.ts'
import { makeFolder } from '../../../../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../../../../test/support/servers/sql-postgres.ts'
import { type ChangesGiven, checkGrants, freshReader, readChanges, shown } from '../../../changes/testing/under-test.ts'
import { open, readRows } from '../../../testing/under-test.ts'

/** What only PostgreSQL has: slots, publications, identities of rows, values that lie elsewhere. */
export function onlyPostgres(given: ChangesGiven): void {
  const { server, database } = given
  const begin = (reader: string) => readChanges(database(), { table: reader, reader }, 'snapshot')
  const count = async (query: string) => Number((await readRows(database(), { query }))[0]?.[0])

  test('a large value that has not changed is named, and comes where whole rows are told', async () => {
    const reader = freshReader()
    const large = "(select string_agg(md5(n::text), '') from generate_series(1, 1000) n)"
    await server().execute(
      `create table ${reader} (id int primary key, n int, large text)`,
      `insert into ${reader} values (1, 0, ${large})`
    )
    const after = (await begin(reader)).positions.at(-1) as string
    await server().execute(
      `update ${reader} set n = 1`,
      `alter table ${reader} replica identity full`,
      `update ${reader} set n = 2`,
      `delete from ${reader}`
    )
    const { told } = await readChanges(database(), { table: reader, reader, after }, 3)
    assert.deepEqual(shown(told, 'n', '_op', '_unchanged'), [
      [1, 'update', '["large"]'],
      [2, 'update', null],
      [2, 'delete', null]
    ])
    const [first, second, last] = told.map(({ row }) => row)
    assert.deepEqual([first?.large, first?._before], [null, null])
    assert.equal(String(second?.large).length, 32_000)
    assert.deepEqual(JSON.parse(String(second?._before)), { id: 1, n: 1, large: second?.large })
    assert.deepEqual(JSON.parse(String(last?._before)), { id: 1, n: 2, large: second?.large })
  })

  test('a row that gets another key comes with its large values, as they are by then', async () => {
    const reader = freshReader()
    const large = (letter: string) =>
      `(select string_agg('${letter}' || md5(n::text), '') from generate_series(1, 1000) n)`
    await server().execute(
      `create table ${reader} (id int, "odd ""key""" numeric(10, 2), large text, n int, primary key ("odd ""key""", id))`,
      `insert into ${reader} values (1, 0.5, ${large('a')}, 0), (2, 0.5, ${large('b')}, 0), (3, 0.5, ${large('c')}, 0)`
    )
    const after = (await begin(reader)).positions.at(-1) as string
    await server().execute(
      `update ${reader} set id = id + 10`,
      `update ${reader} set large = ${large('d')} where id = 12`,
      `delete from ${reader} where id = 13`
    )
    const { told } = await readChanges(database(), { table: reader, reader, after }, 8)
    const short = told.map(({ row }) => [
      row._op,
      row.id,
      row.large === null ? null : String(row.large)[0],
      row._unchanged
    ])
    assert.deepEqual(short, [
      ['delete', 1, null, null],
      ['insert', 11, 'a', null],
      ['delete', 2, null, null],
      ['insert', 12, 'd', null],
      ['delete', 3, null, null],
      ['insert', 13, null, '["large"]'],
      ['update', 12, 'd', null],
      ['delete', 13, null, null]
    ])
  })

  test('domains, generated columns, partitions and odd names', async () => {
    const reader = freshReader()
    await server().execute(
      `create domain ${reader}_small as int check (value < 100)`,
      `create domain ${reader}_smaller as ${reader}_small check (value < 10)`,
      `create table "${reader} ""t""" (id int, "odd ""name""" ${reader}_smaller, twice int generated always as (id * 2) stored,
        primary key (id)) partition by range (id)`,
      `create table ${reader}_a partition of "${reader} ""t""" for values from (0) to (10)`,
      `create table ${reader}_b partition of "${reader} ""t""" for values from (10) to (20)`,
      `insert into "${reader} ""t""" values (1, 5)`
    )
    const table = `public."${reader} ""t"""`
    const { told, positions } = await readChanges(database(), { table, reader }, 'snapshot')
    await server().execute(`update "${reader} ""t""" set id = 11`)
    const after = positions.at(-1) as string
    const more = await readChanges(database(), { table, reader, after }, 2)
    assert.deepEqual(shown([...told, ...more.told], '_op', 'id', 'odd "name"', 'twice'), [
      ['snapshot', 1, 5, undefined],
      ['delete', 1, null, undefined],
      ['insert', 11, 5, undefined]
    ])
  })

  test('the server forgets what is confirmed and nothing else, and what other tables write', async () => {
    const reader = freshReader()
    await server().execute(`create table ${reader} (id int primary key)`, `create table ${reader}_other (t text)`)
    const confirmed = `select confirmed_flush_lsn - '0/0'::pg_lsn from pg_replication_slots where slot_name = '${reader}'`
    const changes = database().changes?.({ table: reader, reader, after: null, signal: AbortSignal.timeout(30_000) })
    const chunks = changes?.[Symbol.asyncIterator]()
    const positions: string[] = []
    for (let i = 0; i < 2; i++) positions.push((await chunks?.next())?.value.position)
    const before = await count(confirmed)
    await server().execute(`insert into ${reader} values (1)`)
    const { value } = (await chunks?.next()) ?? {}
    assert.equal(value.rows, 1)
    assert.equal(await count(confirmed), before)
    const write = `insert into ${reader}_other select repeat(md5(n::text), 50) from generate_series(1, 20000) n`
    const next = chunks?.next()
    await server().execute(write)
    const quiet = (await next)?.value
    assert.equal(quiet.rows, 0)
    changes?.confirm(quiet.position)
    // It hears of it without an answer.
    while ((await count(confirmed)) < before + (16 << 20));
    await chunks?.return?.()
    const error = { code: 'position_lost', isTransient: false }
    await assert.rejects(readChanges(database(), { table: reader, reader, after: value.position }, 1), error)
    await server().execute(`insert into ${reader} values (2)`)
    const { told } = await readChanges(database(), { table: reader, reader, after: quiet.position }, 1)
    assert.deepEqual(shown(told, 'id'), [[2]])
  })

  test('a slot that is still held by whoever read before is waited for', async () => {
    const reader = freshReader()
    await server().execute(`create table ${reader} (id int primary key)`)
    const after = (await begin(reader)).positions.at(-1) as string
    const free = `select 1 from pg_replication_slots where slot_name = '${reader}' and not active`
    await eventually(async () => (await count(`select count(*) from (${free})`)) === 1)
    const holder = new pg.Client({ ...server().settings, replication: 'database' } as pg.ClientConfig)
    holder.on('error', () => {})
    await holder.connect()
    const options = `proto_version '1', publication_names '${reader}'`
    const held = holder.query(`START_REPLICATION SLOT ${reader} LOGICAL 0/0 (${options})`).catch(() => {})
    await eventually(async () => (await count(`select count(*) from (${free})`)) === 0)
    await server().execute(`insert into ${reader} values (1)`)
    const reading = readChanges(database(), { table: reader, reader, after }, 1)
    const senders = "select count(*) from pg_stat_activity where backend_type = 'walsender'"
    await eventually(async () => (await count(senders)) >= 2)
    ;(holder as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    assert.deepEqual(shown((await reading).told, 'id', '_op'), [[1, 'insert']])
    await held
  })

  test('a slot that was dropped or given up is told, with what to do', async () => {
    const reader = freshReader()
    await server().execute(`create table ${reader} (id int primary key)`, `create table ${reader}_other (t text)`)
    const after = (await begin(reader)).positions.at(-1) as string
    await server().execute("alter system set max_slot_wal_keep_size = '1MB'", 'select pg_reload_conf()')
    const write = `insert into ${reader}_other select repeat(md5(n::text), 50) from generate_series(1, 20000) n`
    await server().execute(write, 'select pg_switch_wal()', write, 'select pg_switch_wal()', 'checkpoint')
    const readOn = () => readChanges(database(), { table: reader, reader, after }, 1)
    await assert.rejects(readOn, { code: 'position_lost', message: /max_slot_wal_keep_size.*read all rows again/ })
    await server().execute('alter system reset max_slot_wal_keep_size', 'select pg_reload_conf()')
    await server().execute(`select pg_drop_replication_slot('${reader}')`)
    await assert.rejects(readOn, { code: 'position_lost', message: /is gone.*read all rows again/ })
    assert.deepEqual((await begin(reader)).told, [])
  })

  test('who may not is told the statements that an administrator can run, and they are enough', async () => {
    const reader = freshReader()
    await server().execute(`create table ${reader} (id int primary key)`, `create role ${reader} login password 'x'`)
    await checkGrants(given, reader)
  })

  test('a server that shuts down is not held up by what a reader has not confirmed, and nothing of it is lost', async () => {
    const ending = await startSqlPostgres(makeFolder('changes-ending'))
    const { host, port, user, password, database: name } = ending
    const other = await open({ kind: 'postgres', host, port, user, password, database: name })
    const client = new pg.Client({ host, port, user, password, database: name })
    client.on('error', () => {}) // the server ends its session
    await client.connect()
    try {
      await client.query('create table a (id int primary key); create table b (id int)')
      const after = (await readChanges(other, { table: 'a', reader: 'r' }, 'snapshot')).positions.at(-1) as string
      const signal = AbortSignal.timeout(30_000)
      const chunks = other.changes?.({ table: 'a', reader: 'r', after, signal })[Symbol.asyncIterator]()
      await chunks?.next()
      await client.query('insert into a values (1)')
      assert.equal((await chunks?.next())?.value.rows, 1)
      const told = chunks?.next()
      await client.query('insert into b values (1)')
      const isToldOf = assert.rejects(told ?? Promise.resolve(), { code: 'unavailable', message: /is shutting down/ })
      await ending.stop()
      await isToldOf
      await ending.restart()
      assert.deepEqual(shown((await readChanges(other, { table: 'a', reader: 'r', after }, 1)).told, 'id'), [[1]])
    } finally {
      await other.close()
      await ending.stop()
    }
  })

  test('a server that does not log changes is told how to', async () => {
    const plain = await startSqlPostgres(makeFolder('changes-off'), ['wal_level=replica'])
    const { host, port, user, password, database: name } = plain
    const other = await open({ kind: 'postgres', host, port, user, password, database: name })
    try {
      await other.write({
        table: 't',
        columns: [{ name: 'a', type: 'integer' }],
        values: [[1]],
        rows: 1,
        keys: ['a'],
        create: true
      })
      const error = { code: 'changes_off', message: /wal_level is replica.*ALTER SYSTEM SET wal_level = 'logical'/ }
      await assert.rejects(readChanges(other, { table: 't', reader: 'off' }, 'snapshot'), error)
    } finally {
      await other.close()
      await plain.stop()
    }
  })
}
