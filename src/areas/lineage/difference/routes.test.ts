import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { data_, LineageWorld } from '../../../../test/support/lineage-world.ts'

const T = Date.UTC(2026, 0, 1)
const DAY = 86_400_000

describe('the difference between two times', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
    await world.draw(T, 'old > mover > out')
    await world.draw(T + 2 * DAY, 'new > mover > out')
  })
  after(() => world.close())

  const refused = async (query: string) => {
    const { status, body } = await world.test.call('GET', `/api/lineage/difference?${query}`, { as: 'viewer' })
    return [status, body.errors?.[0].pointer ?? body.code]
  }

  it('has what was added and what has ended, with who says so', async () => {
    const { added, ended, from, root } = await world.get('difference?from=2026-01-02&to=2026-01-10')
    const ends = (edges: { from: string; to: string }[]) => edges.map((edge) => edge.from.split('/').at(-1))
    assert.deepEqual([ends(added.edges), ends(ended.edges)], [['new'], ['old']])
    assert.deepEqual([from, root], ['2026-01-02T00:00:00.000Z', null])
    assert.equal(ended.edges[0].endedAt, '2026-01-03T00:00:00.000Z')
    assert.equal(added.edges[0].provenance[0].who, 'test')
    assert.deepEqual(added.columns, [])
  })

  it('refuses times in the wrong order, and cursors of other questions', async () => {
    assert.deepEqual(await refused('from=2026-01-03&to=2026-01-02'), [400, '/query/from'])
    assert.deepEqual(await refused('from=tomorrow-ish'), [400, '/query/from'])
    assert.deepEqual(await refused('to=2026-01-02'), [400, '/query/from'])
    const { nextCursor } = await world.get('difference?from=2025-12-01&to=2026-01-10&limit=1')
    assert.deepEqual(await refused(`from=2025-12-02&to=2026-01-10&cursor=${nextCursor}`), [400, '/query/cursor'])
    const written = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
    const question = JSON.stringify(['2025-12-01', '2026-01-10', null, 'both', 10])
    for (const place of [[question, 0, 1, -1], [question, 0, 1, 0, 5, 'x'], [question, 'a', 1, 0], {}, 'x']) {
      assert.deepEqual(await refused(`from=2025-12-01&to=2026-01-10&cursor=${written(place)}`), [400, '/query/cursor'])
    }
    assert.deepEqual(await refused(`from=2026-01-01&root=${encodeURIComponent(data_('nobody'))}`), [404, 'not_found'])
  })
})
