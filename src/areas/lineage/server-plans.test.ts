// Both: how PostgreSQL reads, which decides by what it has counted.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { postgresUrl } from '../../../test/support/database.ts'
import { prepareInserts } from '../../engines/prepare-rows.ts'
import { findRuns } from './claims/store.ts'
import { edgesOf } from './graph/edge-reader.ts'
import type { GraphReader } from './graph/reader.ts'
import { walk } from './graph/walk.ts'
import { countsOf } from './impact/counts.ts'
import { endsOf } from './impact/ends.ts'
import type { EdgeRow, NodeRow, RunRow } from './migrations.ts'
import { GraphDatabase } from './testing/graph-database.ts'

const NODES = Array.from({ length: 20_000 }, (_, n) => `n${String(n).padStart(6, '0')}`)

/** It decides by what it knows of the rows: with many keys it would rather read whole tables, again and again. */
const onServer: typeof describe = postgresUrl === undefined ? ((() => {}) as never) : describe

onServer('how PostgreSQL reads a large graph', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
    // All began at the same moment, as in a graph that was imported.
    const edge = {
      how: 'openlineage',
      started_ms: 1,
      ended_ms: null,
      job: '',
      seen_ms: null,
      runs: 0,
      who: null
    } as const
    const edges = NODES.map(
      (from_node, n): EdgeRow => ({ ...edge, from_node, to_node: NODES[n + 1] ?? 'last', type: 'links' })
    )
    const nodes = NODES.map(
      (key): NodeRow => ({ key, reference: key, kind: 'dataset', name: key, is_pattern: 0, facts: '{}' })
    )
    const insertEdges = prepareInserts('lineage_edges', Object.keys(edges[0] as object))
    const insertNodes = prepareInserts('lineage_nodes', Object.keys(nodes[0] as object))
    await graph.metadata.transaction(async (tx) => {
      await insertEdges(tx, edges)
      await insertNodes(tx, nodes)
    })
    // As it does by itself some time after so much was written.
    await sql`vacuum analyze lineage_edges, lineage_nodes`.execute(graph.metadata.db)
  })
  after(() => graph.close())

  /** The plans of all that a piece of work asks. */
  async function plansOf(work: (reader: GraphReader) => Promise<unknown>): Promise<string[]> {
    const asked: RootOperationNode[] = []
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        asked.push(node)
        return node
      },
      async transformResult({ result }) {
        return result
      }
    }
    const { db, dialect } = graph.metadata
    await work({ dialect, db: db.withPlugin(plugin) })
    const plans: string[] = []
    for (const node of asked) {
      const query = db.getExecutor().compileQuery(node, { queryId: 'plan' } as never)
      const explain = CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters])
      const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explain)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    return plans
  }

  function assertByKeys(plans: readonly string[]): void {
    assert.notEqual(plans.length, 0)
    for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on lineage|lineage_edges_(started|ended)/)
  }

  const many = NODES.filter((_, n) => n % 3 === 0)

  it('is by the nodes, where edges of thousands are asked for', async () => {
    assertByKeys(await plansOf((reader) => Array.fromAsync(endsOf(reader, many, 5))))
    assertByKeys(await plansOf((reader) => Array.fromAsync(edgesOf(reader, many, 'upstream', 5))))
  })

  it('is by the nodes, where thousands are counted', async () => {
    const reached = many.map((key) => ({ key, distance: 1 }))
    const plans = await plansOf(async (reader) => {
      const byKind = { dataset: many.length }
      assert.deepEqual(await countsOf(reader, reached), [{ distance: 1, nodes: many.length, byKind }])
    })
    assertByKeys(plans)
  })

  it('is by the nodes, where many steps are asked for at once', async () => {
    const asked = { root: NODES[50] as string, direction: 'upstream', depth: 30, atMs: 5 } as const
    const plans = await plansOf((reader) => Array.fromAsync(walk(reader, asked)))
    assertByKeys(plans)
    assert.equal(plans.length, 3)
    assert.match(plans.join(), /Index Only Scan using lineage_edges_upstream/)
  })

  it('is by the keys of runs, also of a table whose rows it has not counted, and each is found once', async () => {
    const { db } = graph.metadata
    await sql`alter table lineage_runs set (autovacuum_enabled = false)`.execute(db)
    const run = { how: 'openlineage', start_ms: 1, whole_ms: 1, state: 'completed', state_ms: 1 } as const
    const others = { error: null, statement: '', parent_job: null, parent_run: null }
    const rows = NODES.map((job): RunRow => ({ ...run, ...others, job, id: `run-${job}` }))
    await prepareInserts('lineage_runs', Object.keys(rows[0] as object))(db, rows)
    const wanted = rows.filter((_, n) => n % 400 === 0)
    const asked: CompiledQuery[] = []
    const watched = new Proxy(db, {
      get: (target, name) => {
        const member = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          if (name === 'executeQuery') asked.push(given[0] as CompiledQuery)
          return member.apply(target, given)
        }
      }
    })
    const absent = { job: 'n', how: 'openlineage', id: 'none' } as const
    const found = await findRuns(watched, [...wanted.toReversed(), absent, ...wanted])
    assert.deepEqual(
      found.map(({ id }) => id),
      wanted.map(({ id }) => id)
    )
    const [query] = asked as [CompiledQuery]
    const explain = CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters])
    const plan = (await db.executeQuery<{ 'QUERY PLAN': string }>(explain)).rows.map((row) => row['QUERY PLAN'])
    assert.doesNotMatch(plan.join('\n'), /Seq Scan/)
    assert.match(plan.join('\n'), /Index Scan using lineage_runs_/)
  })
})
