// Once: how SQLite reads, which has no statistics unless somebody asks it to gather them.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely'
import type { Db } from '../../engines/metadata/index.ts'
import { Parameter } from '../../engines/metadata/prepare.ts'
import { Claims } from './claims/claims.ts'
import { inflowsInto } from './columns/inflow.ts'
import { outflowsOf, reachedOf } from './columns/outflow.ts'
import { edgesOf } from './graph/edge-reader.ts'
import { markLeaving } from './nodes/removal.ts'
import type { Sighting } from './sighting.ts'
import { GraphDatabase } from './testing/graph-database.ts'
import { pruneLineage } from './upkeep/prune.ts'
import { forgottenNodes } from './upkeep/store.ts'

const YEAR_MS = 365 * 86_400_000
const MANY = Array.from({ length: 20 }, (_, n) => `node${n}`)

let graph: GraphDatabase
before(async () => {
  graph = await GraphDatabase.open()
  // So that there is something to find for all that upkeep looks for.
  const data = (name: string) => [{ reference: `dataset://warehouse/${name}` }]
  const sightings = [1, 2, 3].map(
    (timeMs): Sighting => ({
      job: { reference: 'job://cron/load' },
      run: { id: `run${timeMs}`, timeMs, state: 'completed', isWhole: true },
      inputs: data(`in${timeMs}`),
      outputs: data('out'),
      columns: [],
      provenance: { how: 'openlineage', who: 'a test' }
    })
  )
  await graph.metadata.transaction((tx) => graph.lineage.saw(tx, sightings))
})
after(() => graph.close())

/** Collects what a piece of work asks, and how SQLite comes to the answers. */
async function plansOf(
  work: (watched: <D extends Db>(db: D) => D) => Promise<unknown>
): Promise<Map<string, string[]>> {
  const asked: RootOperationNode[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind !== 'InsertQueryNode') asked.push(node)
      return node
    },
    async transformResult({ result }) {
      return result
    }
  }
  await work((db) => db.withPlugin(plugin) as typeof db)
  const { db } = graph.metadata
  const plans = new Map<string, string[]>()
  for (const node of asked) {
    const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' } as never)
    // Prepared ones have places in place of values.
    const values = parameters.map((value) => (value instanceof Parameter ? null : value))
    const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, values))
    plans.set(
      sql,
      rows.map(({ detail }) => detail)
    )
  }
  return plans
}

/** Nothing takes longer because there is more that it is not about. */
function assertNarrow(plans: ReadonlyMap<string, readonly string[]>): void {
  assert.notEqual(plans.size, 0)
  for (const [sql, plan] of plans) {
    for (const step of plan) {
      assert.doesNotMatch(step, /^SCAN lineage_(?!links)/, sql)
      assert.doesNotMatch(step, /lineage_(edges|mappings)_ended \(ended_ms=\?\)/, sql)
    }
  }
}

it('what comes into data and out of it is found by the data', async () => {
  const { db } = graph.metadata
  assertNarrow(await plansOf((watched) => inflowsInto(watched(db), MANY)))
  assertNarrow(await plansOf((watched) => outflowsOf(watched(db), MANY)))
  const both = { data: MANY, jobs: MANY }
  assertNarrow(await plansOf((watched) => reachedOf(watched(db), both, async (keys) => new Set(keys))))
  assertNarrow(await plansOf((watched) => graph.metadata.transaction((tx) => markLeaving(watched(tx), MANY))))
})

it('what leads to data is read from an index alone', async () => {
  const { db, dialect } = graph.metadata
  const plans = await plansOf((watched) =>
    Array.fromAsync(edgesOf({ db: watched(db), dialect }, MANY, 'upstream', YEAR_MS))
  )
  assertNarrow(plans)
  for (const plan of plans.values()) {
    assert.ok(plan.some((step) => step.includes('COVERING INDEX lineage_edges_upstream')))
  }
})

it('upkeep looks at some at a time', async () => {
  const { metadata } = graph
  const plans = await plansOf(async (watched) => {
    const prune = pruneLineage({
      metadata: { db: watched(metadata.db) },
      clock: { now: () => YEAR_MS } as never,
      claims: new Claims(),
      keepDays: 1
    })
    await prune({
      signal: new AbortController().signal,
      commit: (work: (tx: Db) => Promise<unknown>) => metadata.transaction((tx) => work(watched(tx)))
    } as never)
    await forgottenNodes(watched(metadata.db), '', YEAR_MS, 10)
  })
  assertNarrow(plans)
})
