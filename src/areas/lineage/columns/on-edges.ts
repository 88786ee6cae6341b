import { sql } from 'kysely'
import { slices } from '../../../engines/metadata/index.ts'
import { readNodes } from '../graph/details.ts'
import { type ClaimedEdge, heldAt, isOneOf } from '../graph/edge-reader.ts'
import type { GraphReader } from '../graph/reader.ts'
import type { MappingRow } from '../migrations.ts'
import type { Edge } from '../schema.ts'
import { toPlace } from './view.ts'

/** Mappings that one edge shows, and that are read for all edges of an answer. */
const MAX_OF_EDGE = 1000
const MAX_OF_ANSWER = 20_000

type Shown = Pick<Edge, 'columns' | 'columnsLeftOut'>
type Mapping = Pick<MappingRow, 'job' | 'from_node' | 'from_column' | 'to_node' | 'to_column' | 'kind'>

/**
 * What becomes of columns along edges into data, and which columns a job looks at that says so of itself, in the order of the
 * edges; nothing for other edges.
 */
export async function columnsOnEdges(
  reader: GraphReader,
  edges: readonly ClaimedEdge[],
  atMs: number
): Promise<Shown[]> {
  const ends = [...new Set(edges.filter((edge) => isInto(edge) || isRead(edge)).map(({ to }) => to))]
  const { byNode, uncounted } = await mappingsInto(reader, ends, atMs)
  const chosen = edges.map((edge) => {
    const own = mappingsOf(edge, byNode.get(edge.to) ?? [])
    return isInto(edge) || (isRead(edge) && own.length > 0) ? own : undefined
  })
  const shown = chosen.map((rows) => rows?.slice(0, MAX_OF_EDGE))
  const nodes = await readNodes(reader, [...new Set(shown.flatMap((rows) => rows?.map((row) => row.from_node) ?? []))])
  return edges.map((edge, index) => {
    const [all, some] = [chosen[index], shown[index]]
    if (all === undefined || some === undefined) return {}
    return {
      columns: some.map((row) => ({
        from: toPlace({ node: row.from_node, column: row.from_column }, nodes),
        column: row.to_column === '' ? null : row.to_column,
        kind: row.kind
      })),
      columnsLeftOut: uncounted.has(edge.to) ? null : all.length - some.length
    }
  })
}

const isInto = ({ claims }: ClaimedEdge): boolean => claims[0]?.type === 'writes' || claims[0]?.type === 'links'

const isRead = ({ claims }: ClaimedEdge): boolean => claims[0]?.type === 'reads'

/** Those of the job of the edge. An edge that leads past the job has those from its beginning only. */
function mappingsOf({ from, claims }: ClaimedEdge, into: readonly Mapping[]): Mapping[] {
  const jobs = new Set(claims.map(({ job }) => job))
  return into.filter(({ job, from_node }) => jobs.has(job) && (from === job || from === from_node))
}

async function mappingsInto(reader: GraphReader, nodes: readonly string[], atMs: number) {
  const byNode = new Map<string, Mapping[]>()
  const uncounted = new Set<string>()
  let left = MAX_OF_ANSWER
  for (const some of slices(nodes)) {
    const { rows } = await sql<Mapping>`
      select distinct to_node, job, to_column, from_node, from_column, kind from lineage_mappings
      where ${isOneOf(reader, sql.ref('to_node'), some)} and ${heldAt(atMs)}
      order by to_node, job, to_column, from_node, from_column, kind limit ${left + 1}`.execute(reader.db)
    const last = rows.length > left ? (rows.pop()?.to_node as string) : undefined
    left -= rows.length
    for (const row of rows) byNode.getOrInsertComputed(row.to_node, () => []).push(row)
    for (const node of some) if (last !== undefined && node >= last) uncounted.add(node)
  }
  return { byNode, uncounted }
}
