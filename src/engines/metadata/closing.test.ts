// Both: the metadata engine itself.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { failureOf, insertThing, readThings, thingsMigration } from '../../../test/support/metadata-contract.ts'
import { isUnavailable } from './index.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(() => database.drop())

test('closing waits for what was asked for, refuses the rest, and all of it is there afterwards', async () => {
  const first = await database.open()
  await first.migrate([thingsMigration])
  const asked = Array.from({ length: 300 }, (_, n) => first.transaction((tx) => insertThing(tx, String(n), n)))
  const closed = first.close()
  assert.ok(isUnavailable(await failureOf(first.transaction((tx) => insertThing(tx, 'late')))))
  await Promise.all([...asked, closed])

  const second = await database.open()
  const kept = await readThings(second.db)
  await second.close()
  assert.equal(kept.length, 300)
})

test('it answers a ping until it is closed, and then every use says that it is unavailable', async () => {
  const metadata = await database.open()
  await metadata.migrate([thingsMigration])
  await metadata.ping()
  await readThings(metadata.db)
  await metadata.close()
  await metadata.close()
  const uses = [
    () => metadata.ping(),
    () => readThings(metadata.db),
    () => metadata.transaction((tx) => insertThing(tx, 'a')),
    () => metadata.migrate([thingsMigration])
  ]
  for (const use of uses) assert.ok(isUnavailable(await failureOf(use())))
})
