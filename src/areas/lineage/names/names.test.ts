import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Db } from '../../../engines/metadata/index.ts'
import { type DatedFacts, goneSince } from '../nodes/facts.ts'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'

const provenance = { how: 'openlineage', who: 'a test' } as const
const [A, B] = ['dataset://test/a', 'dataset://test/b']
const numRuns = process.env.TEST_POSTGRES_URL === undefined ? 60 : 15

type News = (tx: Db, graph: GraphDatabase) => Promise<void>

const reads = (id: string, timeMs: number, reference: string): Sighting => ({
  job: { reference: 'job://test/j' },
  run: { id, state: 'running', timeMs, isWhole: false },
  inputs: [{ reference }],
  outputs: [],
  columns: [],
  provenance
})

const timeMs = fc.integer({ min: 1, max: 9 })
const news: fc.Arbitrary<News> = fc.oneof(
  timeMs.map(
    (ms): News =>
      (tx, { lineage }) =>
        lineage.renamed(tx, A, B, ms, provenance)
  ),
  timeMs.map(
    (ms): News =>
      (tx, { lineage }) =>
        lineage.same(tx, A, B, ms, provenance)
  ),
  timeMs.map(
    (ms): News =>
      (tx, { lineage }) =>
        lineage.dataRemoved(tx, A, ms)
  ),
  timeMs.map(
    (ms): News =>
      (tx, { lineage }) =>
        lineage.saw(tx, [reads(`r${ms}`, ms, A)])
  )
)

describe('names of data, and data that is gone', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  const tell = async (all: readonly News[]) => {
    for (const one of all) await graph.metadata.transaction((tx) => one(tx, graph))
  }
  const factsOf = async (reference: string): Promise<DatedFacts> => {
    const query = graph.metadata.db.selectFrom('lineage_nodes').select('facts').where('key', '=', nodeKey(reference))
    return JSON.parse((await query.executeTakeFirstOrThrow()).facts)
  }
  const isGone = async (reference: string, atMs: number) => goneSince(await factsOf(reference), atMs) !== null

  it('come to the same in any order, and told again', async () => {
    const orders = fc
      .array(news, { minLength: 1, maxLength: 8 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
    const property = fc.asyncProperty(orders, async ([all, other]) => {
      await graph.empty()
      await tell([(tx, { lineage }) => lineage.same(tx, A, 'dataset://test/c', 1, provenance)])
      await tell(all)
      const first = [await graph.periods(), await factsOf(A)]
      await graph.empty()
      await tell([(tx, { lineage }) => lineage.same(tx, A, 'dataset://test/c', 1, provenance)])
      await tell([...other, ...all])
      assert.deepEqual([await graph.periods(), await factsOf(A)], first)
    })
    await fc.assert(property, { numRuns })
  })

  it('is gone until a run that began later names it', async () => {
    await graph.empty()
    await tell([
      (tx, { lineage }) => lineage.saw(tx, [reads('before', 3, A)]),
      (tx, { lineage }) => lineage.dataRemoved(tx, A, 5)
    ])
    assert.equal(await isGone(A, 9), true)
    await tell([(tx, { lineage }) => lineage.saw(tx, [reads('late', 4, A)])])
    assert.equal(await isGone(A, 9), true)
    await tell([(tx, { lineage }) => lineage.saw(tx, [reads('after', 7, A)])])
    const gone = await Promise.all([4, 5, 6, 7].map((ms) => isGone(A, ms)))
    assert.deepEqual(gone, [false, true, true, false])
  })

  it('are edges since the earliest time: one way for a new name, both ways for the same data', async () => {
    await graph.empty()
    await tell([
      (tx, { lineage }) => lineage.renamed(tx, A, B, 7, provenance),
      (tx, { lineage }) => lineage.renamed(tx, A, B, 5, provenance),
      (tx, { lineage }) => lineage.same(tx, A, 'dataset://test/c', 6, provenance),
      (tx, { lineage }) => lineage.same(tx, A, A, 6, provenance)
    ])
    const { edges } = await graph.periods()
    const shown = edges.map((row) => [row.from_node === nodeKey(A), row.type, row.started_ms, row.who])
    assert.deepEqual(shown.sort(), [
      [false, 'same', 6, 'a test'],
      [true, 'renamed', 5, 'a test'],
      [true, 'same', 6, 'a test']
    ])
  })
})
