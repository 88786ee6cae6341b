import { sql } from 'kysely'
import type { EdgeRow } from '../migrations.ts'
import { type ClaimedEdge, type Direction, EDGE_COLUMNS, grouped, heldAt } from './edge-reader.ts'
import type { GraphReader } from './reader.ts'

/** Edges that are asked for at once, each counted as often as steps lead along it; of what has more, each step is asked for by itself. */
const MAX_EDGES = 3000

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

/** In place of an edge, for that which steps begin at. */
const NO_EDGE = sql`null collate "C", null collate "C", null collate "C", null::bigint, null::bigint, null collate "C", null collate "C", null::bigint, null::bigint, null collate "C"`

/** In the order of their ends; undefined where there are too many. */
async function readAround(
  { db }: GraphReader,
  { nodes, direction, depth, atMs }: Around
): Promise<EdgeRow[] | undefined> {
  const [near, far] = (direction === 'downstream' ? ['from_node', 'to_node'] : ['to_node', 'from_node']).map((column) =>
    sql.ref(column)
  )
  // The steps are made one after the other, and no more of them than it takes to come across so many edges.
  const { rows } = await sql<EdgeRow & { met: number }>`
    with recursive steps (node, distance, ${EDGE_COLUMNS}) as (
      select unnest((select string_to_array(${nodes.join(' ')}, ' '))) collate "C", 0, ${NO_EDGE}
      union
      select edge.${far}, distance + 1, edge.* from steps
      cross join lateral (select ${EDGE_COLUMNS} from lineage_edges where ${near} = node and ${heldAt(atMs)}) as edge
      where distance < ${depth}
    ), met as (select ${EDGE_COLUMNS} from steps where type is not null limit ${MAX_EDGES + 1})
    select distinct ${EDGE_COLUMNS}, (select count(*) from met) as met from met
    order by ${near}, ${far}, how, started_ms`.execute(db)
  if ((rows[0]?.met ?? 0) > MAX_EDGES) return undefined
  return rows.map(({ met, ...row }) => row)
}
