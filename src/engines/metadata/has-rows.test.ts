// Both: it is a statement of its own.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../../test/support/database.ts'
import { insertThing, thingsMigration } from '../../../test/support/metadata-contract.ts'
import { hasRows } from './index.ts'

it('there are rows where there is one, and of some kind where there is one of it', async (t) => {
  const database = await createTestDatabase()
  const metadata = await database.open()
  t.after(async () => {
    await metadata.close()
    await database.drop()
  })
  await metadata.migrate([thingsMigration])
  const things = () => metadata.db.selectFrom('things')
  assert.equal(await hasRows(things()), false)
  for (const k of ['a', 'b']) await metadata.transaction((tx) => insertThing(tx, k))
  assert.equal(await hasRows(things()), true)
  assert.equal(await hasRows(things().where(sql`k`, '=', 'b')), true)
  assert.equal(await hasRows(things().where(sql`k`, '=', 'c')), false)
})
