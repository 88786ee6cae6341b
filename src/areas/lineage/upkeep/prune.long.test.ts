import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { Claims } from '../claims/claims.ts'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { anySighting } from '../testing/sightings.ts'
import { pruneLineage } from './prune.ts'

const DAY = 86_400_000
const numRuns = process.env.TEST_POSTGRES_URL === undefined ? 80 : 20

/** Prunes as if it were `nowMs`; a day is kept. */
async function prune(graph: GraphDatabase, nowMs: number, maxRuns?: number, keepDays = 1): Promise<void> {
  const clock = new ManualClock(new Date(nowMs).toISOString())
  const needs = {
    metadata: graph.metadata,
    clock,
    claims: new Claims(),
    keepDays,
    ...(maxRuns !== undefined && { maxRuns })
  }
  const { signal } = new AbortController()
  const commit = (work: never) => graph.metadata.transaction(work)
  await pruneLineage(needs)({ signal, commit } as never)
}

const tell = (graph: GraphDatabase, sighting: Sighting) =>
  graph.metadata.transaction((tx) => graph.lineage.saw(tx, [sighting]))

/** As it counts where runs are gone: from the oldest that is kept on, or not at all. */
async function asKept(graph: GraphDatabase, sighting: Sighting): Promise<Sighting | undefined> {
  const { db } = graph.metadata
  const key = nodeKey(sighting.job.reference)
  const job = await db.selectFrom('lineage_jobs').select('base_ms').where('job', '=', key).executeTakeFirst()
  const runs = await db.selectFrom('lineage_runs').select('id').where('job', '=', key).execute()
  const baseMs = job?.base_ms ?? 0
  if (sighting.run.timeMs >= baseMs) return sighting
  if (!runs.some(({ id }) => id === sighting.run.id)) return undefined
  return { ...sighting, run: { ...sighting.run, timeMs: baseMs } }
}

describe('pruning', () => {
  let graph: GraphDatabase
  let whole: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
    whole = await GraphDatabase.open()
  })
  after(async () => {
    await graph.close()
    await whole.close()
  })

  const prunings = fc.option(
    fc.record({ ageMs: fc.integer({ min: 1, max: 22 }), maxRuns: fc.constantFrom(1, 2, 3, 1000) }),
    { freq: 3 }
  )
  const told = fc.array(fc.tuple(anySighting, prunings), { minLength: 3, maxLength: 16 })

  it('leaves what holds as it is, and what is told later gives the same as with all runs', async () => {
    const property = fc.asyncProperty(told, async (steps) => {
      await graph.empty()
      await whole.empty()
      let oldestMs = 0
      // Runs of which something is told after they were let go begin again, so none is used twice.
      const gone = new Set<string>()
      for (const [sighting, pruning] of steps) {
        const kept = await asKept(graph, sighting)
        if (kept !== undefined && gone.has(`${sighting.job.reference} ${sighting.run.id}`)) continue
        await tell(graph, sighting)
        if (kept !== undefined) await tell(whole, kept)
        if (pruning === null) continue
        const before = await runsOf(graph)
        await prune(graph, pruning.ageMs + DAY, pruning.maxRuns)
        oldestMs = Math.max(oldestMs, pruning.ageMs)
        const left = new Set(await runsOf(graph))
        for (const run of before) if (!left.has(run)) gone.add(run)
        await forgetSame(graph, whole)
      }
      // What was over before that is gone, and may be worked out again.
      const since = (rows: readonly { ended_ms: number | null }[]) =>
        rows.filter(({ ended_ms }) => ended_ms === null || ended_ms >= oldestMs)
      const [pruned, all] = [await graph.periods(), await whole.periods()]
      assert.deepEqual(since(pruned.edges), since(all.edges))
      assert.deepEqual(since(pruned.mappings), since(all.mappings))
      assert.deepEqual(await counts(graph), await counts(whole))
    })
    await fc.assert(property, { numRuns })
  })

  const run = (id: string, timeMs: number, isWhole: boolean, ...inputs: string[]): Sighting => ({
    job: { reference: 'job://test/j' },
    run: { id, state: isWhole ? 'completed' : 'running', timeMs, isWhole },
    inputs: inputs.map((reference) => ({ reference })),
    outputs: [],
    columns: [],
    provenance: { how: 'openlineage', who: 'a test' }
  })
  const names = async (table: 'lineage_nodes' | 'lineage_jobs' | 'lineage_runs' | 'lineage_statements') =>
    (await graph.metadata.db.selectFrom(table).selectAll().execute()).length
  const [A, B] = ['dataset://test/a', 'dataset://test/b']

  it('knows ends by runs that are gone, which came after the oldest that is kept began', async () => {
    await graph.empty()
    await tell(graph, run('r1', 5, true, A, B))
    await tell(graph, run('r2', 10, false, B))
    await tell(graph, run('r3', 20, false, B))
    await tell(graph, run('r2', 100, true))
    const before = await graph.periods()
    await prune(graph, 0, 1, 0)
    assert.deepEqual(await names('lineage_runs'), 1)
    assert.deepEqual(await graph.periods(), before)
    await tell(graph, run('r3', 25, false, 'dataset://test/c'))
    await tell(graph, run('r3', 15, false))
    const [ended] = (await graph.periods()).edges.filter((edge) => edge.from_node === nodeKey(A))
    assert.deepEqual([ended?.started_ms, ended?.ended_ms, ended?.runs], [5, 100, 1])
  })

  it('says when something was last seen as if all were kept, where two runs end it at the same moment', async () => {
    const [pruned, all] = [graph, whole]
    for (const one of [pruned, all]) {
      await one.empty()
      await tell(one, run('r1', 6, true, A, B))
      await tell(one, run('r2', 19, false, B))
      await tell(one, run('r3', 20, true, B))
      await tell(one, run('r2', 20, true, B))
    }
    await prune(pruned, 0, 1, 0)
    await tell(pruned, run('r3', 20, false, B, 'dataset://test/c'))
    await tell(all, run('r3', 20, false, B, 'dataset://test/c'))
    assert.deepEqual((await pruned.periods()).edges, (await all.periods()).edges)
  })

  it('counts no run twice that was let go', async () => {
    await graph.empty()
    const all = [run('r1', 1, true, A), run('r2', 2, true, A), run('r3', 3, true, A)]
    for (const one of all) await tell(graph, one)
    await prune(graph, 0, 1, 0)
    const before = await graph.periods()
    for (const one of all) await tell(graph, one)
    assert.deepEqual(await graph.periods(), before)
    assert.deepEqual((await counts(graph))[0]?.runs, 3)
  })

  it('forgets what is over, and keeps what lasts however old it is', async () => {
    await graph.empty()
    await tell(graph, run('r1', 1, true, A))
    await tell(graph, run('r2', 2, true, B))
    await prune(graph, 100 * DAY, undefined, 0)
    assert.equal((await graph.periods()).edges.length, 2)
    await prune(graph, 100 * DAY)
    const { edges } = await graph.periods()
    assert.deepEqual([edges.length, edges[0]?.from_node, edges[0]?.ended_ms], [1, nodeKey(B), null])
    assert.deepEqual([await names('lineage_nodes'), await names('lineage_statements')], [2, 1])
    await graph.metadata.transaction((tx) =>
      graph.lineage.removed(tx, 'job://test/j', { how: 'openlineage', who: 'a test' })
    )
    await prune(graph, Date.now() + 100 * DAY)
    assert.deepEqual([(await graph.periods()).edges, await names('lineage_nodes')], [[], 0])
    assert.deepEqual([await names('lineage_jobs'), await names('lineage_statements')], [0, 0])
  })

  it('forgets nodes that have only their names in common', async () => {
    await graph.empty()
    await tell(graph, run('r1', 1, true, 'object://lake/a.csv', 'object://lake/*'))
    await tell(graph, run('r2', 2, true, 'object://lake/*'))
    assert.equal((await graph.periods()).edges.filter(({ type }) => type === 'overlaps').length, 2)
    await prune(graph, 100 * DAY)
    assert.equal(await names('lineage_nodes'), 2)
    assert.deepEqual(
      (await graph.periods()).edges.map(({ type }) => type),
      ['reads']
    )
  })

  it('keeps nodes that a person has written about, or that were spoken of lately', async () => {
    await graph.empty()
    const said = { key: nodeKey(A), reference: A, kind: 'dataset', name: 'a' } as const
    const lately = { key: nodeKey(B), reference: B, kind: 'dataset', name: 'b' } as const
    await graph.metadata.transaction(async (tx) => {
      await tx
        .insertInto('lineage_nodes')
        .values([
          { ...said, is_pattern: 0, facts: JSON.stringify({ said: [1, { description: 'mine' }] }) },
          { ...lately, is_pattern: 0, facts: JSON.stringify({ description: [99 * DAY, 'new'] }) }
        ])
        .execute()
    })
    await prune(graph, 100 * DAY)
    assert.equal(await names('lineage_nodes'), 2)
    await prune(graph, 101 * DAY)
    assert.equal(await names('lineage_nodes'), 1)
  })

  async function runsOf({ metadata }: GraphDatabase): Promise<string[]> {
    const rows = await metadata.db
      .selectFrom('lineage_runs')
      .innerJoin('lineage_nodes', 'lineage_nodes.key', 'lineage_runs.job')
      .select(['reference', 'id'])
      .execute()
    return rows.map(({ reference, id }) => `${reference} ${id}`)
  }

  const counts = ({ metadata }: GraphDatabase) =>
    metadata.db
      .selectFrom('lineage_jobs')
      .select(['job', 'runs', 'whole_runs', 'whole_ms', 'newest_run', 'newest_ms', 'open'])
      .orderBy('job')
      .execute()

  /** A job of which nothing is left begins anew. */
  async function forgetSame(from: GraphDatabase, to: GraphDatabase): Promise<void> {
    const left = new Set((await counts(from)).map(({ job }) => job))
    await to.metadata.transaction(async (tx) => {
      for (const { job } of await counts(to)) {
        if (left.has(job)) continue
        for (const table of ['edges', 'mappings', 'runs', 'jobs'] as const) {
          await tx.deleteFrom(`lineage_${table}`).where('job', '=', job).execute()
        }
      }
    })
  }
})
