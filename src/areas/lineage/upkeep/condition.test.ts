import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { data_, LineageWorld } from '../../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { checkLineage } from './examine.ts'

const DAY = 86_400_000

describe('the condition of the lineage', () => {
  const clock = new ManualClock()
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start({ clock })
  })
  after(() => world.close())

  const look = async () => {
    const { config, vault, metadata } = world.test.platform
    return (await checkLineage({ config, clock, vault, metadata })).map(({ level, message }) => `${level} ${message}`)
  }
  const measured = async (name: string) => {
    const { text } = await world.test.call('GET', '/metrics', { as: 'viewer' })
    return new RegExp(`^millrace_lineage_${name} (\\d+)$`, 'm').exec(text)?.[1]
  }

  it('is counted, and not with every look', async () => {
    assert.deepEqual(await look(), ['ok nothing is known yet'])
    assert.equal(await measured('nodes'), '0')
    await world.draw(clock.now(), 'a > job > b')
    const body = { from: data_('b'), to: data_('c') }
    await world.test.call('POST', '/api/lineage/links', { as: 'editor', body })
    assert.deepEqual([await measured('nodes'), await measured('sightings_total')], ['0', '1'])
    clock.advance(600_000)
    const names = ['nodes', 'edges', 'jobs', 'runs', 'links']
    assert.deepEqual(await Promise.all(names.map(measured)), ['4', '3', '1', '1', '1'])
    assert.match((await look()).join(), /^ok 4 nodes, 3 edges that hold, 1 runs of 1 jobs, since \d{4}-/)
  })

  it('says where what is too old is still there', async () => {
    await world.draw(clock.now(), 'a > job > c')
    const { metadata } = world.test.platform
    await metadata.transaction((tx) =>
      tx
        .updateTable('lineage_edges')
        .set({ ended_ms: clock.now() - 368 * DAY })
        .where('ended_ms', 'is not', null)
        .execute()
    )
    assert.match((await look())[1] ?? '', /^warn edges that ended more than 365 days ago are still there/)
  })
})
