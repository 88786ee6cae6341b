import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMariadb } from '../../../../../../test/support/servers/mariadb.ts'
import { makeFolder } from '../../../../../../test/support/servers/service.ts'
import { type ChangesGiven, checkGrants, freshReader, readChanges, shown } from '../../../changes/testing/under-test.ts'
import { open } from '../../../testing/under-test.ts'

/** What only MariaDB and MySQL have: files of the log that are deleted, and settings of it. */
export function onlyMariadb(given: ChangesGiven): void {
  const { server, database } = given
  const begin = (reader: string) => readChanges(database(), { table: reader, reader }, 'snapshot')

  test('the row before is known, savepoints end nothing, and what is short in the log is filled in', async () => {
    const reader = freshReader()
    await server().execute(`create table ${reader} (id int primary key, n int, t text)`)
    const after = (await begin(reader)).positions.at(-1) as string
    await server().execute(
      `begin; insert into ${reader} values (1, 1, 'x'); savepoint a; insert into ${reader} values (2, 1, 'y');
        rollback to a; insert into ${reader} values (3, 1, 'z'); commit`,
      `set session binlog_row_image = 'MINIMAL'; update ${reader} set n = 2 where id = 1; set session binlog_row_image = 'FULL'`,
      `update ${reader} set n = 3 where id = 1`
    )
    const { told } = await readChanges(database(), { table: reader, reader, after }, 4)
    assert.deepEqual(shown(told, 'id', 'n', 't', '_op', '_before', '_unchanged'), [
      [1, 1, 'x', 'insert', null, null],
      [3, 1, 'z', 'insert', null, null],
      [1, 2, null, 'update', null, '["t"]'],
      [1, 3, 'x', 'update', '{"id":1,"n":2,"t":"x"}', null]
    ])
  })

  test('a log that was deleted is told, with what to do; a table that is quiet does not hold on to it', async () => {
    const reader = freshReader()
    await server().execute(`create table ${reader} (id int primary key)`)
    const after = (await begin(reader)).positions.at(-1) as string
    const changes = database().changes?.({ table: reader, reader, after, signal: AbortSignal.timeout(30_000) })
    const chunks = changes?.[Symbol.asyncIterator]()
    assert.equal((await chunks?.next())?.value.position, after) // it says that reading goes on
    const next = chunks?.next()
    await server().execute('flush binary logs', `create table ${reader}_other (id int)`)
    const quiet = (await next)?.value
    assert.equal(quiet.rows, 0)
    await chunks?.return?.()
    const { file } = JSON.parse(quiet.position)
    // Whoever has left is noticed when there is something to send; until then the log is kept for them.
    await server().execute('flush binary logs', 'flush binary logs', `purge binary logs to '${file}'`)
    const lost = readChanges(database(), { table: reader, reader, after }, 1)
    await assert.rejects(lost, { code: 'position_lost', message: /read all rows again/ })
    await server().execute(`insert into ${reader} values (1)`)
    const { told } = await readChanges(database(), { table: reader, reader, after: quiet.position }, 1)
    assert.deepEqual(shown(told, 'id'), [[1]])
  })

  test('who may not is told the statements that an administrator can run, and they are enough', async () => {
    const reader = freshReader()
    await server().execute(`create table ${reader} (id int primary key)`, `create user ${reader} identified by 'x'`)
    await server().execute(`grant select on test.* to ${reader}`)
    await checkGrants(given, reader)
  })

  test('a server that does not log changes is told how to', async () => {
    const plain = await startMariadb(makeFolder('changes-off'))
    const { host, port, user, password, database: name } = plain
    const other = await open({ kind: 'mysql', host, port, user, password, database: name })
    try {
      const columns = [{ name: 'a', type: 'integer' }] as const
      await other.write({ table: 't', columns, values: [[1]], rows: 1, keys: ['a'], create: true })
      const error = { code: 'changes_off', message: /log_bin is OFF.*SET GLOBAL binlog_format = 'ROW';/ }
      await assert.rejects(readChanges(other, { table: 't', reader: 'off' }, 'snapshot'), error)
    } finally {
      await other.close()
      await plain.stop()
    }
  })
}
