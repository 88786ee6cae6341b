import { sql } from 'kysely'
import type { EdgeRow } from '../migrations.ts'
import { type ClaimedEdge, type Direction, EDGE_COLUMNS, grouped, heldAt } from './edge-reader.ts'
import type { GraphReader } from './reader.ts'

/** What is asked for at once; of what has more around it, each step is asked for by itself. */
const MAX_NODES = 1000
const MAX_EDGES = 5000

export interface Around {
  readonly nodes: readonly string[]
  readonly direction: Direction
  readonly depth: number
  readonly atMs: number
}

/** The edges that leave nodes in a direction, by the nodes; those of a node that has none are not there. */
export type Surroundings = ReadonlyMap<string, readonly ClaimedEdge[]>

/** All edges that a walk from nodes may come across, in one statement of PostgreSQL; undefined where there are too many. */
export async function surroundingsOf(reader: GraphReader, around: Around): Promise<Surroundings | undefined> {
  const rows = await readAround(reader, around)
  if (rows === undefined) return undefined
  const near = around.direction === 'downstream' ? 'from' : 'to'
  const found = new Map<string, ClaimedEdge[]>()
  for (const edge of grouped(rows)) found.getOrInsertComputed(edge[near], () => []).push(edge)
  return found
}

/** In the order of their ends; undefined where there are too many. */
async function readAround(
  { db }: GraphReader,
  { nodes, direction, depth, atMs }: Around
): Promise<EdgeRow[] | undefined> {
  const [near, far] = (direction === 'downstream' ? ['from_node', 'to_node'] : ['to_node', 'from_node']).map((column) =>
    sql.ref(column)
  )
  // The steps are made one after the other, and no more of them than it takes to reach so many nodes.
  const { rows } = await sql<EdgeRow & { reached: number }>`
    with recursive steps (node, distance) as (
      select unnest((select string_to_array(${nodes.join(' ')}, ' '))) collate "C", 0
      union
      select ${far}, distance + 1 from steps join lineage_edges on ${near} = node
      where distance < ${depth - 1} and ${heldAt(atMs)}
    ), reached as (select node from steps limit ${MAX_NODES + 1})
    select ${EDGE_COLUMNS}, (select count(*) from reached) as reached from lineage_edges
    where ${near} in (select node from reached) and ${heldAt(atMs)}
    order by ${near}, ${far}, how, started_ms limit ${MAX_EDGES + 1}`.execute(db)
  if (rows.length > MAX_EDGES || (rows[0]?.reached ?? 0) > MAX_NODES) return undefined
  return rows.map(({ reached, ...row }) => row)
}
