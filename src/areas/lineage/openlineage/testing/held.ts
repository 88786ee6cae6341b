import assert from 'node:assert/strict'
import { nodeKey } from '../../references.ts'
import type { GraphDatabase } from '../../testing/graph-database.ts'
import { naiveGraph } from './naive-graph.ts'
import { naiveStates } from './naive-states.ts'
import type { simulate } from './simulate.ts'

const BUCKETS = { 's3://lake-raw': 'raw', 's3://lake-curated': 'curated' }

/** That every run stands as the naive model says, whatever came last of it. */
export async function assertStates(graph: GraphDatabase, events: ReturnType<typeof simulate>): Promise<void> {
  const runs = await graph.metadata.db.selectFrom('lineage_runs').select(['job', 'id', 'state']).execute()
  const naive = [...naiveStates(events)].map(([name, state]) => {
    const at = name.lastIndexOf(' ')
    return `${nodeKey(name.slice(0, at))} ${name.slice(at + 1)} ${state}`
  })
  assert.deepEqual(runs.map(({ job, id, state }) => `${job} ${id} ${state}`).sort(), naive.sort())
}

/** That the graph has, at these times, what the naive model says of the events. */
export async function assertHeld(
  graph: GraphDatabase,
  events: ReturnType<typeof simulate>,
  times: readonly number[]
): Promise<void> {
  const { edges, mappings } = await graph.periods()
  for (const atMs of times) {
    const holds = (row: { started_ms: number; ended_ms: number | null }) =>
      row.started_ms <= atMs && (row.ended_ms === null || row.ended_ms > atMs)
    const naive = naiveGraph(events, atMs, BUCKETS)
    const told = edges.filter((row) => holds(row) && row.type !== 'overlaps')
    assert.deepEqual(
      told.map((row) => `${row.from_node} ${row.to_node}`).sort(),
      [...naive.edges].map((edge) => edge.split(' -> ').map(nodeKey).join(' ')).sort()
    )
    assert.deepEqual(
      mappings
        .filter(holds)
        .map((row) => JSON.stringify([row.job, row.from_node, row.from_column, row.to_node, row.to_column, row.kind]))
        .sort(),
      [...naive.columns].map(withKeys).sort()
    )
  }
}

function withKeys(text: string): string {
  const [job, from, column, to, target, kind] = JSON.parse(text)
  return JSON.stringify([nodeKey(job), nodeKey(from), column, nodeKey(to), target ?? '', kind])
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
