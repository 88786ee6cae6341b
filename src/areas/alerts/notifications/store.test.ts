// Both: groups are locked by several at once where the database lets them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { Alerted } from '../../../../test/support/alerted.ts'
import { postgresUrl } from '../../../../test/support/database.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { deleteGroup, type GroupKey, lockGroups, placeOf } from './store.ts'

describe('groups that are locked', () => {
  let world: Alerted
  let metadata: Metadata
  let wanted: GroupKey[]
  before(async () => {
    world = await Alerted.start()
    metadata = world.app.platform.metadata
    const { id: channelId } = await world.channel('crew')
    wanted = ['b', 'a', 'c'].map((key) => ({ channelId, key }))
  })
  after(() => world.close())

  const lock = async (some: readonly GroupKey[]): Promise<(string | undefined)[]> => {
    const { makeId } = world.app.platform
    const found = await metadata.transaction((tx) => lockGroups(tx, some, () => makeId('grp')))
    return some.map((one) => found.get(placeOf(one))?.id)
  }

  it('are made where they are not there', async () => {
    const some = await lock(wanted.slice(0, 2))
    const all = await lock(wanted)
    assert.deepEqual(all.slice(0, 2), some)
    assert.ok(all.every((id) => id !== undefined))
  })

  // An embedded database lets one write at a time.
  if (postgresUrl !== undefined) {
    it('are made anew where somebody takes one away meanwhile', async () => {
      const [, doomed] = await lock(wanted)
      const locked = Promise.withResolvers<void>()
      const deleting = metadata.transaction(async (tx) => {
        await tx.selectFrom('alert_groups').select('id').where('id', '=', `${doomed}`).forUpdate().execute()
        locked.resolve()
        await eventually(() => someoneWaits(metadata))
        await deleteGroup(tx, `${doomed}`)
      })
      await locked.promise
      const [groups] = await Promise.all([lock(wanted), deleting])
      assert.ok(groups.every((id) => id !== undefined && id !== doomed))
      assert.deepEqual(await lock(wanted), groups)
    })
  }
})

async function someoneWaits({ db }: Metadata): Promise<boolean> {
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await waiting.execute(db)).rows.length > 0
}
