import { sql } from 'kysely'
import type { EdgeRow } from '../migrations.ts'
import { type ClaimedEdge, type Direction, grouped, heldAt, WHO } from './edge-reader.ts'
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

/** An edge as the statement writes it: the near end and the far one first, and the rest as in a row. */
type Written = readonly [
  near: string,
  far: string,
  how: EdgeRow['how'],
  started_ms: number,
  ended_ms: number | null,
  job: string,
  type: EdgeRow['type'],
  seen_ms: number | null,
  runs: number,
  who: string | null
]

/** In the order of their ends; undefined where there are too many. */
async function readAround(
  { db }: GraphReader,
  { nodes, direction, depth, atMs }: Around
): Promise<EdgeRow[] | undefined> {
  const isDown = direction === 'downstream'
  const [near, far] = (isDown ? ['from_node', 'to_node'] : ['to_node', 'from_node']).map((column) => sql.ref(column))
  // The steps are made one after the other, and no more of them than it takes to come across so many edges. Each edge is a text,
  // and all are one: to tell apart and to send so many columns takes longer than to find them.
  const { rows } = await sql<{ edges: string | null; count: number }>`
    with recursive steps (node, distance, edge) as (
      select unnest((select string_to_array(${nodes.join(' ')}, ' '))) collate "C", 0, null collate "C"
      union
      select ${far}, distance + 1,
        json_build_array(${near}, ${far}, how, started_ms, ended_ms, job, type, seen_ms, runs, ${WHO})::text collate "C"
      from steps inner join lineage_edges on ${near} = node and ${heldAt(atMs)}
      where distance < ${depth}
    ), met as (select edge from steps where edge is not null limit ${MAX_EDGES + 1})
    select string_agg(edge, ',') as edges, count(*) as count from met`.execute(db)
  const { edges, count } = rows[0] as { edges: string | null; count: number }
  if (count > MAX_EDGES) return undefined
  const written = JSON.parse(`[${edges ?? ''}]`) as Written[]
  return distinct(written).map(([nearNode, farNode, how, started_ms, ended_ms, job, type, seen_ms, runs, who]) => {
    const [from_node, to_node] = isDown ? [nearNode, farNode] : [farNode, nearNode]
    return { from_node, to_node, how, started_ms, ended_ms, job, type, seen_ms, runs, who }
  })
}

/** In order and each once: an edge is told as often as steps of different numbers lead along it. */
function distinct(written: Written[]): Written[] {
  written.sort(compare)
  return written.filter((edge, at) => at === 0 || compare(edge, written[at - 1] as Written) !== 0)
}

function compare(a: Written, b: Written): number {
  for (let part = 0; part < 3; part++) {
    if (a[part] !== b[part]) return (a[part] as string) < (b[part] as string) ? -1 : 1
  }
  return a[3] - b[3]
}
