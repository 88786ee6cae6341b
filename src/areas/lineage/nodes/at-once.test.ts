// Both: transactions at once.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/support/eventually.ts'
import { seenBy } from '../../../../test/support/lineage-world.ts'
import { GraphDatabase } from '../testing/graph-database.ts'

const isSqlite = process.env.TEST_POSTGRES_URL === undefined
const FILE = 'object://lake/out/a.csv'

describe('names that are new at the same time', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  /** Two transactions, of which the first ends when the second is done, or waits for it. */
  async function nameBoth(first: string, second: string): Promise<void> {
    const { metadata, lineage } = graph
    const [named, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const one = metadata.transaction(async (tx) => {
      await lineage.saw(tx, [seenBy('one', 1, [], [first])])
      named.resolve()
      if (!isSqlite) await over.promise
    })
    await named.promise
    const other = metadata.transaction((tx) => lineage.saw(tx, [seenBy('other', 1, [second], [])]))
    if (!isSqlite) await Promise.race([other, eventually(async () => assert.ok((await waiting()) > 0))])
    over.resolve()
    await Promise.all([one, other])
  }

  async function waiting(): Promise<number> {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(graph.metadata.db)
    return rows.length
  }

  for (const [first, second] of [
    ['object://lake/out/*', FILE],
    [FILE, 'object://lake/out/*'],
    ['object://lake/out/*', 'object://lake/out/*.csv'],
    ['series://src_1/oil', 'series://src_1']
  ] as const) {
    it(`are joined where they have data in common: ${first}, then ${second}`, async () => {
      await graph.empty()
      await nameBoth(first, second)
      const overlaps = (await graph.periods()).edges.filter(({ type }) => type === 'overlaps')
      assert.equal(overlaps.length, 2)
    })
  }

  it('do not wait for each other where neither is a pattern, or they are of two buckets', async () => {
    await graph.empty()
    for (const [first, second] of [
      [FILE, 'object://lake/out/b.csv'],
      ['object://lake/*', 'object://pond/*']
    ] as const) {
      const { metadata, lineage } = graph
      const done = metadata.transaction(async (tx) => {
        await lineage.saw(tx, [seenBy(`of ${first}`, 1, [], [first])])
        if (!isSqlite)
          await metadata.transaction((other) => lineage.saw(other, [seenBy(`of ${second}`, 1, [], [second])]))
      })
      await done
    }
  })
})
