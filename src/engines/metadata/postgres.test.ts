// Both: the metadata engine itself.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, postgresUrl } from '../../../test/support/database.ts'
import { freePort } from '../../../test/support/free-port.ts'
import {
  failureOf,
  insertThing,
  metadataContract,
  readThings,
  things,
  thingsMigration
} from '../../../test/support/metadata-contract.ts'
import { type Db, isUnavailable, openMetadata } from './index.ts'

if (postgresUrl !== undefined) metadataContract('PostgreSQL', createTestDatabase)

test('a server that refuses the connection is unavailable', async (t) => {
  const databaseUrl = `postgres://postgres@127.0.0.1:${await freePort()}/nothing`
  const metadata = await openMetadata({ databaseUrl, file: '' })
  t.after(() => metadata.close())
  assert.ok(isUnavailable(await failureOf(metadata.ping())))
  assert.ok(isUnavailable(await failureOf(metadata.transaction(async () => {}))))
})

// Only the run with a server has these tests.
if (postgresUrl !== undefined)
  describe('metadata on a PostgreSQL server', () => {
    async function openTwo(t: { after(done: () => Promise<void>): void }) {
      const database = await createTestDatabase()
      const [one, other] = [await database.open(), await database.open()]
      t.after(async () => {
        await one.close()
        await other.close()
        await database.drop()
      })
      await one.migrate([thingsMigration])
      return { one, other }
    }
    const backend = async (db: Db) =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid

    test('a connection lost within a transaction fails it as unavailable, and the next one works', async (t) => {
      const { one, other } = await openTwo(t)
      const lost = one.transaction(async (tx) => {
        await insertThing(tx, 'lost')
        await sql`select pg_terminate_backend(${await backend(tx)})`.execute(other.db)
        await sql`select pg_sleep(30)`.execute(tx)
      })
      assert.ok(isUnavailable(await failureOf(lost)))
      await one.ping()
      await one.transaction((tx) => insertThing(tx, 'next'))
      assert.deepEqual(await readThings(one.db), [['next', 0]])
    })

    test('a deadlock is tried again until both have succeeded', async (t) => {
      const { one, other } = await openTwo(t)
      await one.transaction(async (tx) => {
        for (const k of ['a', 'b']) await insertThing(tx, k)
      })
      let attempts = 0
      let bothHoldOne = () => {}
      const meeting = new Promise<void>((resolve) => {
        bothHoldOne = resolve
      })
      const increment = (tx: Db, k: string) =>
        things(tx)
          .updateTable('things')
          .set((value) => ({ n: value('n', '+', 1) }))
          .where('k', '=', k)
          .execute()
      const both = (first: string, second: string) => async (tx: Db) => {
        await sql`set local deadlock_timeout = '10ms'`.execute(tx)
        await increment(tx, first)
        attempts++
        if (attempts === 2) bothHoldOne()
        await meeting
        await increment(tx, second)
      }
      await Promise.all([one.transaction(both('a', 'b')), other.transaction(both('b', 'a'))])
      assert.ok(attempts > 2)
      assert.deepEqual(await readThings(one.db), [
        ['a', 2],
        ['b', 2]
      ])
    })
  })
