import type { EdgeRow, NodeRow } from '../migrations.ts'
import type { Reader } from '../nodes/listing.ts'
import type { Begun } from './ahead.ts'
import type { Direction } from './edge-reader.ts'

/** What questions read: the graph, and the nodes that they are about though no row is of them. */
export interface GraphReader extends Reader {
  readonly unstored?: readonly Unstored[]
  /** What is around the nodes that the question is about, which is being read already. */
  readonly begun?: ReadonlyMap<Direction, Begun>
}

/** Data that only patterns name, such as one file of many: for the time of a question it is joined to these patterns. */
interface Unstored {
  readonly row: NodeRow
  /** Both ways, as they would be drawn if somebody named it. */
  readonly edges: readonly EdgeRow[]
}

/** The edges of nodes that no row is of, those which leave the given nodes; they hold at all times. */
export function unstoredEdges(
  { unstored = [] }: GraphReader,
  nodes: readonly string[],
  near: 'from_node' | 'to_node'
): EdgeRow[] {
  if (unstored.length === 0) return []
  const wanted = new Set(nodes)
  return unstored.flatMap(({ edges }) => edges.filter((edge) => wanted.has(edge[near])))
}
