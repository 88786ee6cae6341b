// Both: the metadata engine itself.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { readThings, thingsMigration } from '../../../test/support/metadata-contract.ts'
import { lateMigrations, type Metadata, type Migration } from './index.ts'

let database: TestDatabase
let metadata: Metadata
let ran: string[]

beforeEach(async () => {
  database = await createTestDatabase()
  metadata = await database.open()
  ran = []
})

afterEach(async () => {
  await metadata.close()
  await database.drop()
})

/** A migration that adds its name to `ran`. */
const noting = (id: string, up: Migration['up'] = async () => {}): Migration => ({
  id,
  async up(db, type) {
    ran.push(id)
    await up(db, type)
  }
})

const applied = async () => (await sql<{ id: string }>`select id from migrations`.execute(metadata.db)).rows.length

test('migrations run in the order given, once, and only the new ones later', async () => {
  const table = noting('b/001-table', thingsMigration.up)
  const column = noting('a/001-column', (db, type) =>
    db.schema.alterTable('things').addColumn('more', type.text).execute()
  )
  await metadata.migrate([table, column])
  await metadata.migrate([table, column])
  assert.deepEqual(ran, ['b/001-table', 'a/001-column'])
  await metadata.migrate([table, noting('b/002-new'), column])
  assert.deepEqual(ran, ['b/001-table', 'a/001-column', 'b/002-new'])
  assert.equal(await applied(), 3)
})

test('migrations run once when several ask at the same time', async (t) => {
  // Two embedded databases in one process would block each other: there, one database takes all the calls.
  const replicas = metadata.dialect === 'postgres' ? [await database.open(), await database.open()] : [metadata]
  t.after(async () => {
    for (const replica of replicas) await replica.close()
  })
  const table = noting('a/001-table', thingsMigration.up)
  await Promise.all([metadata, ...replicas, ...replicas].map((replica) => replica.migrate([table])))
  assert.deepEqual(ran, ['a/001-table'])
  assert.equal(await applied(), 1)
})

test('migrations leave nothing when one of them fails', async () => {
  const table = noting('a/001-table', thingsMigration.up)
  const failing = noting('a/002-failing', async (db) => {
    await sql`insert into things (k, n) values ('a', 1)`.execute(db)
    throw new Error('no good')
  })
  await assert.rejects(metadata.migrate([table, failing]), /no good/)
  await assert.rejects(readThings(metadata.db))
  await metadata.migrate([table])
  assert.deepEqual(await readThings(metadata.db), [])
  assert.equal(await applied(), 1)
})

test('migrations refuse an id that is there twice', async () => {
  await assert.rejects(metadata.migrate([noting('a/001-x'), noting('a/001-x')]), /same id/)
  assert.deepEqual(ran, [])
})

test('late migrations are read when one of them has not run, all of them once', async () => {
  const known = [noting('a/001-table', thingsMigration.up), noting('a/002-more'), noting('a/003-most')]
  let reads = 0
  const late = (count: number) => {
    const some = known.slice(0, count)
    const load = async () => {
      reads += 1
      return some
    }
    return lateMigrations({ ids: some.map(({ id }) => id), load })
  }
  await metadata.migrate(late(2))
  assert.deepEqual([reads, ran], [1, ['a/001-table', 'a/002-more']])
  await metadata.migrate(late(2))
  assert.equal(reads, 1)
  await metadata.migrate([noting('b/001-other'), ...late(3)])
  assert.deepEqual([reads, ran], [2, ['a/001-table', 'a/002-more', 'b/001-other', 'a/003-most']])
  assert.equal(await applied(), 4)
})

test('late migrations that are not those which are named are refused, and none runs', async () => {
  const load = async () => [noting('a/001-x'), noting('a/002-forgotten')]
  await assert.rejects(metadata.migrate(lateMigrations({ ids: ['a/001-x'], load })), /named.*a\/002-forgotten/)
  assert.deepEqual(ran, [])
})
