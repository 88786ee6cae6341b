import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOutbound } from '../../outbound/index.ts'
import { openSql, SqlError, type SqlErrorCode, type SqlSettings } from '../index.ts'
import type { Given } from './contract.ts'
import { freshName, open, readRows } from './under-test.ts'

async function refused(work: Promise<unknown>, code: SqlErrorCode): Promise<SqlError> {
  const error = await work.then(
    () => assert.fail(`it should have failed with ${code}`),
    (error) => error
  )
  assert.ok(error instanceof SqlError, String(error?.stack ?? error))
  assert.equal(error.code, code, error.message)
  return error
}

export function refusalContract(given: Given): void {
  async function check(changes: Partial<SqlSettings>, code: SqlErrorCode): Promise<SqlError> {
    const database = await open(given.server().settings, changes)
    try {
      return await refused(database.check(), code)
    } finally {
      await database.close()
    }
  }

  test('a wrong password, user or database is told apart, and the password is not told', async () => {
    const { message, isTransient } = await check({ password: 'open sesame' }, 'unauthorized')
    assert.ok(!message.includes('sesame'))
    assert.equal(isTransient, false)
    await check({ user: "o'nobody\\" }, 'unauthorized')
    await check({ database: "no'such\\" }, 'no_such_database')
    await check({ port: 1 }, 'unreachable')
  })

  test('a private address is refused unless it is permitted', async () => {
    const outbound = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
    const database = await openSql(given.server().settings, { outbound })
    const { isTransient, message } = await refused(database.check(), 'refused_by_policy')
    assert.equal(isTransient, false)
    assert.match(message, /private/)
    await refused(readRows(database, { query: 'select 1' }), 'refused_by_policy')
    await database.close()
    await outbound.close()
  })

  test('unknown tables and columns, and what is not SQL, are told apart', async () => {
    const database = given.database()
    const table = freshName()
    const columns = [{ name: 'a', type: 'integer' }] as const
    await database.write({ table, columns, values: [[1]], rows: 1, create: true })
    await refused(readRows(database, { table: 'nowhere' }), 'no_such_table')
    await refused(readRows(database, { table: 'a.b.c' }), 'no_such_table')
    await refused(database.describe('nowhere'), 'no_such_table')
    await refused(database.write({ table: 'nowhere', columns, values: [[1]], rows: 1 }), 'no_such_table')
    await refused(database.write({ table: 'nowhere', columns, values: [[1]], rows: 1, keys: ['a'] }), 'no_such_table')
    await refused(readRows(database, { table, cursor: { column: 'b', after: null } }), 'no_such_column')
    await refused(readRows(database, { query: `select b from ${table}` }), 'no_such_column')
    const other = [{ name: 'b', type: 'integer' }] as const
    await refused(database.write({ table, columns: other, values: [[1]], rows: 1 }), 'no_such_column')
    await refused(readRows(database, { query: 'select from where' }), 'invalid_query')
    await refused(readRows(database, { query: ' ; ' }), 'invalid_query')
    await refused(readRows(database, { query: 'select 1', table }), 'invalid_query')
    await refused(database.write({ table, columns, values: [['x']], rows: 1 }), 'bad_value')
    await refused(database.write({ table, columns, values: [[2 ** 31]], rows: 1 }), 'bad_value')
    assert.deepEqual(await readRows(database, { table }), [[1]])
  })

  test('a query can only read, and is one statement', async () => {
    const table = freshName()
    const columns = [{ name: 'a', type: 'integer' }] as const
    const database = given.database()
    await database.write({ table, columns, values: [[1]], rows: 1, create: true })
    const attempts = [
      `drop table ${table}`,
      `insert into ${table} values (2)`,
      `select 1; drop table ${table}`,
      `select 1) as q; drop table ${table}; --`,
      `commit; drop table ${table}`,
      `select 1; commit; drop table ${table}`,
      `select a from ${table} into outfile '${table}'`,
      `/*! drop table ${table} */`,
      `create table ${table}x (a int)`,
      'set @@global.max_connections = 5'
    ]
    for (const query of attempts) {
      for (const limit of [undefined, 1]) {
        await assert.rejects(readRows(database, { query, ...(limit === undefined ? {} : { limit }) }), SqlError, query)
      }
    }
    assert.deepEqual(await readRows(database, { table }), [[1]])
  })

  test('what is closed does no more', async () => {
    const database = await open(given.server().settings)
    await database.check()
    await database.close()
    await refused(database.check(), 'unavailable')
    await refused(readRows(database, { query: 'select 1' }), 'unavailable')
  })
}
